"""The page Settings over HTTP: what it shows, what it changes, and for whom."""

from collections.abc import Iterator
from typing import Any

import httpx
import lxml.html
import pytest

from rich_agent.settings.settings import all_settings
from tests.acceptance.operators import give_role
from tests.acceptance.visitors import Visitor, visiting, words
from tests.acceptance.world import ADMIN, World

PATH = "/operator/settings"


def facts(visitor: Visitor, name: str) -> str:
    """The words of the page of a setting."""
    return words(visitor.page(f"{PATH}/{name}"))


def said_by(answer: httpx.Response) -> str:
    """The words of the page of an answer."""
    return words(lxml.html.fromstring(answer.text))


def audited(world: World, action: str) -> dict[str, Any]:
    """The last record of an action."""
    query = "SELECT * FROM audit_records WHERE action = %s ORDER BY id DESC LIMIT 1"
    return world.rows(query, action)[0]


@pytest.fixture
def owner(world: World) -> Iterator[Visitor]:
    """The owner of the bot, who leaves no change."""
    with visiting(world, ADMIN) as visitor:
        yield visitor
        for name in ("DAILY_IMAGES", "DOMAIN_DESCRIPTION"):
            visitor.post(f"{PATH}/{name}/unset")


def test_every_setting_is_listed_and_no_secret_is_shown(world: World, owner: Visitor) -> None:
    """With its name and what it does; of a secret, only that it is set."""
    page = owner.page(PATH)
    names = [one.text for one in page.xpath("//main//li/p[1]/a/code")]
    assert sorted(names) == sorted(all_settings())
    html = owner.get(PATH).text
    for name in ("TELEGRAM_BOT_TOKEN", "CREDENTIALS_KEY", "TAVILY_API_KEY", "DATABASE_URL"):
        assert world.environment[name] not in html
        assert world.environment[name] not in owner.get(f"{PATH}/{name}").text
    assert "TELEGRAM_BOT_TOKEN set environment" in words(page)


def test_search_finds_by_name_and_by_words(owner: Visitor) -> None:
    """Each word counts, in any case; what nothing has is told."""
    found = owner.page(PATH, q="daily IMAGES")
    assert [one.text for one in found.xpath("//main//li/p[1]/a/code")] == ["DAILY_IMAGES"]
    assert "Nothing here." in words(owner.page(PATH, q="no such setting at all"))


def test_changed_setting_is_in_effect_told_and_audited(world: World, owner: Visitor) -> None:
    """Its page shows the value, its origin, what it covers and who changed it."""
    answer = owner.post(f"{PATH}/DAILY_IMAGES", value="17")
    assert "Saved. It is in effect" in said_by(answer)
    said = facts(owner, "DAILY_IMAGES")
    assert "Value 17 changed here" in said
    assert "Without a change 0 default" in said
    assert str(ADMIN) in said
    record = audited(world, "settings.change")
    assert record["subject"] == "DAILY_IMAGES"
    assert (record["details"]["old"], record["details"]["new"]) == ("0", "17")
    assert record["outcome"] == "done"
    assert owner.post(f"{PATH}/DAILY_IMAGES/unset").status_code == 200
    assert "Value 0 default" in facts(owner, "DAILY_IMAGES")
    record = audited(world, "settings.unset")
    assert (record["details"]["old"], record["details"]["new"]) == ("17", "0")


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("DAILY_IMAGES", "many", "DAILY_IMAGES: “many” is not a whole number"),
        ("DAILY_IMAGES", "-1", "Write a whole number, 0 or more"),
        ("STREAMING", "fast", "Write one of: edit, draft, off."),
        ("PORT", "1", "does not change while the bot runs"),
        ("OPENAI_API_KEY", "stolen", "does not change while the bot runs"),
        ("NO_SUCH_SETTING", "1", "There is nothing here, or not any more."),
    ],
)
def test_wrong_value_is_refused_with_the_sentence_of_the_start(
    world: World, owner: Visitor, name: str, value: str, sentence: str
) -> None:
    """Nothing is stored, and the audit knows of the try."""
    answer = owner.post(f"{PATH}/{name}", value=value)
    assert answer.status_code == (404 if name == "NO_SUCH_SETTING" else 400)
    assert sentence in said_by(answer)
    assert not world.rows("SELECT FROM setting_changes WHERE name = %s AND value = %s", name, value)
    assert audited(world, "settings.change")["outcome"] == "refused"


@pytest.mark.parametrize("role", ["operator", "viewer", "author"])
def test_role_decides_who_changes(world: World, user: int, role: str) -> None:
    """A viewer reads and has no form; an author does not see the page."""
    give_role(world, user, role)
    may = role == "operator"
    with visiting(world, user) as visitor:
        answer = visitor.get(f"{PATH}/DOMAIN_DESCRIPTION")
        assert answer.status_code == (403 if role == "author" else 200)
        assert ('<form method="post"' in answer.text) == may
        changed = visitor.post(f"{PATH}/DOMAIN_DESCRIPTION", value=f"Boats of {user}.")
        assert changed.status_code == (200 if may else 403)
        unset = visitor.post(f"{PATH}/DOMAIN_DESCRIPTION/unset")
        assert unset.status_code == (200 if may else 403)
    stored = world.rows("SELECT FROM setting_changes WHERE changed_by = %s", user)
    assert len(stored) == (2 if may else 0)
