"""The operator's page of test questions, and of evaluations over time."""

import json
import tomllib

import pytest

from tests.acceptance.operators import await_subject, give_role
from tests.acceptance.test_commands import press
from tests.acceptance.visitors import visiting, words
from tests.acceptance.world import ADMIN, World, command

pytestmark = pytest.mark.feature("operator_pages")
PATH = "/operator/evaluation"
EVALUATE = ["rich_agent.cli", "eval", "answers", "--stored"]


@pytest.mark.costs("it asks a question, and evaluates its answer")
def test_question_of_a_user_becomes_a_test(world: World, user: int) -> None:
    """It is completed, asked, shown with its figures, and goes when its user forgets it."""
    world.ask(user, "Is there a fee for a quokka permit?")
    author = user + 500_001
    give_role(world, author, "author")
    with visiting(world, author) as visitor:
        subject = await_subject(world, user)
        (form,) = visitor.page(subject).xpath("//form[contains(@action, '/test')]/@action")
        assert "Stored among the test questions." in visitor.post(str(form)).text
        (link,) = visitor.page(PATH).xpath("//main//li//a[contains(., 'quokka')]")
        assert "Not complete" in words(visitor.page(PATH))
        assert "no complete question" in command(EVALUATE, world.environment, expect=1).stderr
        path, ask = str(link.get("href")), str(link.text_content())
        assert "Write a question" in visitor.post(path, ask=ask).text
        saved = visitor.post(path, ask=ask, facts="zebra | quagga", sources="permits")
        assert saved.status_code == 200
        assert "Not complete" not in words(visitor.page(PATH))
        assert "The words are a user's" in words(visitor.page(path))
        shown = command([*EVALUATE, "--json"], world.environment).stdout
        (made,) = json.loads(shown)["evaluations"]
        assert made["answers"][0]["facts"] == {"zebra": False}
        page = visitor.page(PATH)
        assert page.xpath("//figure[contains(@class, 'bars')]")
        (row,) = page.xpath("//section/div[@class='wide']//tr[td]")[:1]
        cells = [str(cell.text_content()) for cell in row]
        assert "sandbox-chat · rich-agent" in cells[1]
        assert cells[2].startswith("0.000 (0.000–")
        exported = command(["rich_agent.cli", "eval", "export"], world.environment).stdout
        expected = {"ask": ask, "facts": [["zebra", "quagga"]], "sources": ["permits"]}
        assert expected in tomllib.loads(exported)["questions"]
        assert expected in tomllib.loads(visitor.get(f"{PATH}/questions.toml").text)["questions"]
        press(world, user, world.ask(user, "/forget"), "Yes, delete everything")
        assert "quokka" not in words(visitor.page(PATH))


def test_operator_writes_a_question_and_a_viewer_reads_it(world: World, user: int) -> None:
    """Twice the same is refused; the viewer finds no form, and changes nothing."""
    give_role(world, user, "viewer")
    fields = {"ask": f"Who leads the wombats of {user}?", "refuse": "1"}
    with visiting(world, ADMIN) as owner:
        assert "Done." in owner.post(PATH, **fields).text
        again = owner.post(PATH, **fields)
        assert again.status_code == 400
        assert "already a question with these words" in again.text
        (path,) = owner.page(PATH).xpath(f"//main//li//a[contains(., '{user}')]/@href")
        with visiting(world, user) as viewer:
            assert "The documents do not say it" in words(viewer.page(str(path)))
            assert not viewer.page(PATH).xpath("//main//form")
            assert viewer.post(PATH, **fields).status_code == 403
        assert "Done." in owner.post(f"{path}/remove").text
        assert owner.get(str(path)).status_code == 404
        assert "no longer there" in owner.post(f"{path}/remove").text


def test_eval_answers_needs_a_file_or_the_stored_questions(world: World) -> None:
    """Not neither of them."""
    refused = command(EVALUATE[:3], world.environment, expect=2).stderr
    assert "either FILE or --stored" in refused
