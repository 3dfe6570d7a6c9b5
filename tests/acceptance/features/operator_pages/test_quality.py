"""The page Quality: a question without an answer becomes work, and is answered in the end."""

import tomllib
from pathlib import Path

import pytest

from tests.acceptance.operators import SUBJECTS, await_subject, give_role
from tests.acceptance.test_commands import press
from tests.acceptance.visitors import Visitor, visiting, words
from tests.acceptance.world import ADMIN, World, command, wait_until


def subjects(visitor: Visitor, chosen: str = "open") -> dict[str, str]:
    """The subjects of a list with their addresses."""
    page = visitor.page(SUBJECTS, list=chosen)
    links = page.xpath("//main//section//li/p/a")
    return {str(one.text_content()): str(one.get("href")) for one in links}


@pytest.mark.costs("it adds a document, asks and asks again")
def test_question_without_an_answer_becomes_work(world: World, user: int, tmp_path: Path) -> None:
    """It is grouped, assigned, and asked again once the document is there; then it is done."""
    world.ask(user, "Is there a fee for late library books?")
    author = user + 1
    give_role(world, author, "author")
    with visiting(world, author) as visitor:
        path = await_subject(world, user)
        assert str(user) not in words(visitor.page(path))
        assert "no answer" in words(visitor.page(path))
        saved = visitor.post(f"{path}/work", assignee=str(author), note="ask the desk")
        assert "Saved." in saved.text
        assert path in subjects(visitor, "mine").values()
        exported = tomllib.loads(visitor.get(f"{path}/questions.toml").text)
        assert exported["questions"][0]["facts"] == []
        assert "library" in exported["questions"][0]["ask"]
        (link,) = visitor.page(path).xpath("//li/p/a/@href")
        assert "Looked for" in words(visitor.page(str(link)))
        (tmp_path / "library.md").write_text(
            "# Late books\n\nThere is a fee for late library books: three crowns a week."
        )
        command(["ingest.cli", "add-source", str(tmp_path), "--name", "library"], world.environment)
        try:
            command(["ingest.cli", "sync", "library"], world.environment)
            assert "asked again" in visitor.post(f"{path}/again").text
            again = "SELECT again FROM quality_questions WHERE thread_id = %s AND again <> 'asked'"
            wait_until(lambda: world.rows(again, f"tg:{user}") or None, "it was asked again")
            assert "answered now" in words(visitor.page(path))
            assert "three crowns" in words(visitor.page(path))
        finally:
            # Other tests have the same documents.
            command(["ingest.cli", "remove-source", "library"], world.environment)
        visitor.post(f"{path}/state", state="done")
        assert path in subjects(visitor, "done").values()


def test_answer_that_was_rated_down_is_shown_with_its_question(world: World, user: int) -> None:
    """Its user sent both; a viewer reads it and changes nothing."""
    viewer = user + 1
    give_role(world, viewer, "viewer")
    with visiting(world, viewer) as visitor:
        answer = world.ask(user, "What is proof of history good for?")
        press(world, user, answer, "👎")
        path = await_subject(world, user)
        page = words(visitor.page(path))
        assert "What is proof of history good for?" in page
        assert not visitor.page(path).xpath("//main//form")
        for form in ("work", "state", "again"):
            assert visitor.post(f"{path}/{form}", state="done").status_code == 403
        assert visitor.get(f"{SUBJECTS}/999999999").status_code == 404
        world.rows(
            "DELETE FROM retrieval_decisions WHERE thread_id = %s RETURNING id", f"tg:{user}"
        )


def test_assignee_has_to_be_somebody_who_may_do_the_work(world: World, user: int) -> None:
    """Anybody else is refused with what to do."""
    world.ask(user, "What is the fee for a wombaroo permit?")
    with visiting(world, ADMIN) as owner:
        path = await_subject(world, user)
        answer = owner.post(f"{path}/work", assignee=str(user))
        assert answer.status_code == 400
        assert "Choose somebody from the list" in answer.text
