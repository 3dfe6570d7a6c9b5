"""The bot and npm's oidc-provider: signing in, living without Telegram, groups, logouts."""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from rich_agent.domain.people import has_telegram
from tests.acceptance.browsing import SCREENSHOTS, axe_problems, needs_browser
from tests.acceptance.features.oidc.provider import (
    NodeProvider,
    Visitor,
    node_provider,
    visitor,
)
from tests.acceptance.node_clients import with_node
from tests.acceptance.test_commands import command, press
from tests.acceptance.world import (
    World,
    environment,
    free_port,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.acceptance.world import command as run_command
from tests.database import PostgresServer

pytestmark = with_node
SECRET = "a+secret of:the client"
_PLAN = """
INSERT INTO schedules (user_id, text, kind, local_start, tz, local_next, next_at)
SELECT %s, %s, %s, at AT TIME ZONE 'Asia/Tokyo', 'Asia/Tokyo', at AT TIME ZONE 'Asia/Tokyo', at
FROM (SELECT clock_timestamp() AS at) AS planned RETURNING id
"""
_AGE = """
UPDATE oidc_identities SET checked_at = checked_at - interval '25 s' WHERE user_id = %s RETURNING 1
"""
_AGE_RIGHTS = """
UPDATE rag_memberships SET holds_until = holds_until - interval '25 s' WHERE user_id = %s
RETURNING 1
"""


@dataclass(frozen=True, slots=True)
class Office:
    """The bot of a company, and its provider."""

    world: World
    provider: NodeProvider


@pytest.fixture(scope="module")
def office(database_server: PostgresServer, with_samples: str) -> Iterator[Office]:
    """Only the provider says who may use the bot; no other bot takes the updates of its sandbox."""
    port = free_port()
    with running_sandbox() as sandbox, database_server.database(with_samples) as url:
        settings = environment(
            sandbox.url,
            url,
            ALLOWED_USERS="",
            OIDC_ISSUER=f"http://localhost:{port}",
            OIDC_CLIENT_ID="rich-agent",
            OIDC_CLIENT_SECRET=SECRET,
            OIDC_NAME="Example",
            OIDC_GROUPS_CLAIM="groups",
            OIDC_SCOPES="openid profile email groups",
        )
        with node_provider(port, settings["PUBLIC_URL"]) as provider, running_bot(settings):
            yield Office(World(sandbox, settings, url), provider)


@pytest.fixture
def anna(office: Office) -> Iterator[Visitor]:
    """The browser of somebody new, before she signs in."""
    office.provider.name("anna", name="Anna Berg", email="anna@example.org", groups=[])
    with visitor(office.world) as browser:
        yield browser
    office.world.sandbox.recover()


def person_of(browser: Visitor) -> int:
    """The id of the user who is signed in, which is none of Telegram."""
    signed_in = browser.user()
    assert signed_in
    assert not has_telegram(signed_in["user_id"])
    return int(signed_in["user_id"])


@pytest.mark.costs("it starts a bot of its own")
def test_person_without_telegram_is_a_user(office: Office, anna: Visitor) -> None:
    """Signed in, greeted by name and in their language, answered with sources; nobody is called."""
    page = anna.sign_in()
    assert "You are signed in" in page.text
    assert page.headers["refresh"].endswith("/chat")
    signed_in = anna.user()
    assert signed_in
    assert (signed_in["name"], signed_in["language"]) == ("Anna Berg", "de")
    events = anna.ask("What is proof of history?")
    assert "RUN_FINISHED" in events
    assert "proof" in anna.history().lower()
    (user,) = office.world.rows(
        "SELECT time_zone FROM users WHERE telegram_user_id = %s", person_of(anna)
    )
    assert user["time_zone"] == "Europe/Berlin"
    assert calls_about(office.world, person_of(anna)) == []


@pytest.mark.feature("user_pages")
def test_pages_of_users_offer_the_provider(anna: Visitor) -> None:
    """Before the way by Telegram; then the page exports what the provider said."""
    asked = anna.http.get(f"{anna.home}/me")
    assert asked.text.index("Sign in with Example") < asked.text.index("Or send /web")
    anna.sign_in()
    exported = anna.http.get(f"{anna.home}/me/privacy/export").json()
    assert [one["subject"] for one in exported["oidc_identities"]] == ["anna"]


@pytest.mark.feature("reminder")
def test_what_comes_unasked_is_on_the_page(office: Office, anna: Visitor) -> None:
    """A reminder, a question at a set time, an announcement: nothing fails and Telegram is left."""
    world = office.world
    anna.sign_in()
    person = person_of(anna)
    world.rows(_PLAN, person, "Water the plants", "reminder")
    anna.await_history("Water the plants")
    world.rows(_PLAN, person, "What is proof of history?", "prompt")
    wait_until(
        lambda: world.rows(
            "SELECT 1 FROM retrieval_decisions WHERE thread_id = %s", f"tg:{person}"
        ),
        "the question is answered",
    )
    states = world.rows(
        "SELECT DISTINCT firing.state FROM schedule_firings AS firing "
        "JOIN schedules ON schedules.id = schedule_id WHERE user_id = %s AND state <> 'queued'",
        person,
    )
    assert [row["state"] for row in states] == ["sent"]
    assert world.rows("SELECT 1 FROM telegram_inbox WHERE dead_at IS NOT NULL") == []
    assert calls_about(world, person) == []


@pytest.mark.costs("it runs a command, and waits until the provider is asked again")
def test_group_opens_documents_until_it_is_taken_away(office: Office, anna: Visitor) -> None:
    """With the provider's own tokens, from the next look on."""
    world = office.world
    office.provider.name("anna", groups=["board"])
    run_command(
        ["ingest.cli", "space", "add", "Board", "--grant", "external:oidc:board"],
        world.environment,
    )
    world.rows(
        "UPDATE rag_sources SET space_id = (SELECT id FROM rag_spaces WHERE name = 'Board') "
        "WHERE status = 'active' RETURNING 1"
    )
    anna.sign_in()
    person = person_of(anna)
    assert "to change it" in anna.ask("/spaces")
    office.provider.name("anna", groups=[])
    for statement in (_AGE, _AGE_RIGHTS):
        world.rows(statement, person)

    def is_closed() -> bool:
        time.sleep(2)  # each question is a whole run
        return "to change it" not in anna.ask("/spaces")

    wait_until(is_closed, "the space is gone")
    world.rows("UPDATE rag_sources SET space_id = NULL RETURNING 1")


def test_logout_at_the_provider_ends_the_page_at_once(office: Office, anna: Visitor) -> None:
    """An open stream of the page ends, and a second browser stays signed in."""
    with visitor(office.world) as other:
        anna.sign_in()
        other.sign_in()
        live = f"{anna.home}/agui/live"
        with anna.http.stream("GET", live, params={"threadId": "main", "version": "x"}) as stream:
            assert stream.status_code == 200
            anna.sign_out_there(office.provider)
            wait_until(lambda: anna.user() is None, "the session is over", 30)
            for _ in stream.iter_text():
                pass
        assert anna.user() is None
        assert other.user() is not None


def test_accounts_are_linked_in_telegram(office: Office, anna: Visitor, user: int) -> None:
    """By the code that the page shows; then the page has the conversation of Telegram."""
    world = office.world
    world.rows(
        "INSERT INTO access_list (telegram_user_id, is_allowed) VALUES (%s, true) RETURNING 1",
        user,
    )
    office.provider.name("carl", name="Carl Noll")
    anna.sign_in()
    answer = anna.ask("/link")
    told = "".join(
        json.loads(line.removeprefix("data: ")).get("delta", "")
        for line in answer.splitlines()
        if line.startswith("data: ") and '"TEXT_MESSAGE_CONTENT"' in line
    )
    code = told.replace("`", "").split("/link ")[1].split()[0]
    asked = command(world, user, f"/link {code}")
    assert "Carl Noll" in asked["text"]
    press(world, user, asked, "Yes, link it")
    assert anna.user() is None
    anna.sign_in()
    signed_in = anna.user()
    assert signed_in
    assert signed_in["user_id"] == user


def calls_about(world: World, person: int) -> list[str]:
    """The calls to Telegram that name a person."""
    return [
        str(call) for call in world.sandbox.calls("telegram") if str(person) in json.dumps(call)
    ]


@needs_browser[0]
@needs_browser[1]
def test_page_is_signed_in_by_its_link(office: Office, browser: webdriver.Chrome) -> None:
    """The cookie of the session is strict, and the provider is another site."""
    home = office.world.environment["PUBLIC_URL"]
    office.provider.name("dora", name="Dora Weiß")
    browser.get(f"{home}/chat")
    link = wait_until(
        lambda: next(iter(browser.find_elements(By.CSS_SELECTOR, "#sign-in-links a")), None),
        "the page offers the provider",
    )
    assert link.text == "Sign in with Example"
    assert axe_problems(browser) == []
    link.click()
    wait_until(
        lambda: "Dora Weiß" in browser.find_element(By.TAG_NAME, "body").text,
        "the page is signed in",
    )
    assert browser.current_url == f"{home}/chat"
    browser.get(f"{home}/oidc/callback?state=x")
    assert "did not begin the sign-in" in browser.find_element(By.TAG_NAME, "main").text
    assert axe_problems(browser) == []
    if SCREENSHOTS:
        browser.save_screenshot(f"{SCREENSHOTS}/oidc-refused.png")
