"""The page Work: what waits is decided there, as in Telegram and by `rich-agent inbox`."""

import json
import time
from collections.abc import Iterator

import lxml.html
import psycopg
import pytest

from tests.acceptance.operators import give_role
from tests.acceptance.test_approval import ADA, asked, button, delivered, office, review_of
from tests.acceptance.test_interrupts import press
from tests.acceptance.visitors import visiting, words
from tests.acceptance.world import ADMIN, World, running_bot, wait_until

__all__ = ["office"]
PAGE = "/operator/work"
_GIVE_UP = """
INSERT INTO telegram_inbox (update_id, user_id, urgent, raw, attempts, last_error, dead_at)
VALUES (%s, %s, false, %s, 3, 'ModelError: no answer with token=abcdefghijklmnop', now())
"""


@pytest.fixture
def approving(office: World) -> Iterator[World]:
    """A running bot whose answers an admin approves."""
    with running_bot(office.environment):
        office.ask(ADA, "hi")
        yield office


def give_up(world: World, user: int, text: str) -> int:
    """Have a message of a user be one that was given up; return its number."""
    sent = world.sandbox.say(user, "hello")
    world.answer(user, sent)
    number = sent.update_id + 500_000_000
    person = {"id": user, "is_bot": False, "first_name": "Ada"}
    message = {
        "message_id": sent.message_id,
        "date": int(time.time()),
        "from": person,
        "chat": {"id": user, "type": "private", "first_name": "Ada"},
        "text": text,
    }
    raw = json.dumps({"update_id": number, "message": message}).encode()
    with psycopg.connect(world.database_url) as connection:
        connection.execute(_GIVE_UP, (number, user, raw))
    return number


@pytest.mark.costs("it starts a bot of its own")
def test_approval_is_given_on_the_page_and_in_telegram(approving: World, user: int) -> None:
    """Each shows what the other decided; only the first verdict counts; a viewer sees no draft."""
    sent, number = asked(approving, user)
    review = review_of(approving, ADA, number)
    with visiting(approving, ADA) as owner:
        assert "How is funding paid" in words(owner.page(PAGE))
        form = f"{PAGE}/approvals/{number}"
        assert "reason to reject" in owner.post(form, verdict="reject").text
        typed = owner.post(form, verdict="approve", words="my own text")
        assert typed.status_code == 400
        assert "To send your text, choose “Edit”" in typed.text
        assert "what you entered is still there" in typed.text
        assert "Decided." in owner.post(form, verdict="approve").text
        assert "approved" in delivered(approving, user, sent)["text"]
        approve = button(review[-1], "approve1")
        assert "Approved by you" in press(approving, ADA, review[-1]["message_id"], approve)
        assert owner.post(form, verdict="reject", words="no").status_code == 400
        other = user + 1
        _, number = asked(approving, other)
        give_role(approving, other + 1, "viewer")
        with visiting(approving, other + 1) as viewer:
            page = viewer.page(PAGE)
            assert page.xpath("//main//li/p/strong[text()=$number]", number=str(number))
            assert "How is funding paid" not in words(page)
            assert viewer.post(f"{PAGE}/approvals/{number}", verdict="approve").status_code == 403
        review = review_of(approving, ADA, number)
        with owner.client.stream("GET", "/operator/live") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: begun"
            press(approving, ADA, review[-1]["message_id"], button(review[-1], "approve1"))
            assert "event: changed" in lines
        assert "How is funding paid" not in words(owner.page(PAGE))


def test_dead_letter_is_replayed_or_dropped_on_the_page(world: World, user: int) -> None:
    """Its error is shown, and not what its user wrote."""
    replayed, dropped = (
        give_up(world, one, f"Write a haiku about {word}")
        for one, word in ((user, "lighthouses"), (user + 1, "gravel"))
    )
    give_role(world, user + 2, "viewer")
    with visiting(world, ADMIN) as owner, visiting(world, user + 2) as viewer:
        page = owner.page(PAGE)
        assert "ModelError: no answer" in words(page)
        assert "abcdefghijklmnop" not in words(page)
        assert "lighthouses" not in lxml.html.tostring(page, encoding="unicode")
        for act in ("replay", "drop"):
            assert viewer.post(f"{PAGE}/letters/{replayed}/{act}").status_code == 403
        assert "being answered" in owner.post(f"{PAGE}/letters/{replayed}/replay").text
        assert "Deleted." in owner.post(f"{PAGE}/letters/{dropped}/drop").text
        assert owner.post(f"{PAGE}/letters/{dropped}/drop").status_code == 404
        assert owner.post(f"{PAGE}/letters/x/drop").status_code == 404
        done = "SELECT done_at FROM telegram_inbox WHERE update_id = %s AND done_at IS NOT NULL"
        wait_until(lambda: world.rows(done, replayed) or None, "it was answered")
        assert world.rows("SELECT 1 FROM telegram_inbox WHERE update_id = %s", dropped) == []


def test_due_work_is_counted_and_done_now(world: World, user: int) -> None:
    """By kind, with what failed; what was set aside is tried again."""
    world.rows(
        "INSERT INTO due_work (kind, key, user_id, last_error, tries, set_aside_at) "
        "VALUES ('zzz_unknown', %s, %s, 'it broke', 12, now()), "
        "('operator_pages_ask_again', %s, %s, 'it broke', 12, now()) RETURNING id",
        *(str(user), user) * 2,
    )
    (row,) = world.rows("SELECT id FROM due_work WHERE kind = 'zzz_unknown' AND user_id = %s", user)
    with visiting(world, ADMIN) as owner:
        page = owner.page(PAGE)
        cells = [cell.text_content() for cell in page.xpath("//tr[th='zzz_unknown']/td")]
        assert (cells[0], cells[-1]) == ("1", "1")
        assert page.xpath("//tr[th='Ask again']")
        assert "it broke" in words(page)
        assert "worker is free" in owner.post(f"{PAGE}/due/{row['id']}/retry").text
        aside = "SELECT set_aside_at FROM due_work WHERE id = %s"
        assert world.rows(aside, row["id"]) == [{"set_aside_at": None}]
        assert owner.post(f"{PAGE}/due/0/retry").status_code == 404
        world.rows("DELETE FROM due_work WHERE user_id = %s RETURNING id", user)
