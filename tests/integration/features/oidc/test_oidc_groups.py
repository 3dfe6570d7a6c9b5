"""Groups of the provider, logouts that it tells of, and accounts that are linked by a code."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from rich_agent.chat_commands.replies import CommandRequest, PressRequest
from rich_agent.domain.access import UserTags
from rich_agent.domain.message import User
from rich_agent.domain.people import has_telegram
from rich_agent.domain.rights import Reader
from rich_agent.features.oidc.linking import LinkCommand
from rich_agent.ports.accounts import Account
from rich_agent.repositories.confirmations import PostgresConfirmations
from rich_agent.repositories.database.pools import Databases
from rich_agent.repositories.knowledge.spaces import PostgresSpaces
from rich_agent.repositories.user_data import PostgresUserData
from tests.integration.catalogue import execute
from tests.integration.features.oidc.entrance import Entrance, open_entrance
from tests.stand_ins.oidc.provider import HostileProvider, hostile_provider

ADA = 42
SPACE = """
INSERT INTO rag_spaces (name, readers) VALUES ('Board', '{external:oidc:board}') RETURNING id
"""
SOURCE = """
INSERT INTO rag_sources (id, type, root_url, name, space_id)
SELECT 'minutes', 'page', 'http://minutes', 'minutes', id FROM rag_spaces
"""


@pytest.fixture
async def entrance(databases: Databases, database_url: str) -> AsyncIterator[Entrance]:
    """The sign-in with groups; a space is open to the group of the board."""
    execute(database_url, SPACE)
    execute(database_url, SOURCE)
    async with (
        hostile_provider() as hostile,
        open_entrance(hostile, databases, groups_claim="groups") as opened,
    ):
        yield opened


async def age(entrance: Entrance, seconds: int) -> None:
    """Let what the provider said be so many seconds older."""
    entrance.time_s += seconds
    for pool, statement in (
        (
            entrance.databases.app,
            "UPDATE oidc_identities SET checked_at = checked_at - make_interval(secs => %s)",
        ),
        (
            entrance.databases.rag,
            "UPDATE rag_memberships SET holds_until = holds_until - make_interval(secs => %s)",
        ),
    ):
        async with pool.connection() as connection:
            await connection.execute(statement, (seconds,))


async def spaces_of(entrance: Entrance, user_id: int) -> list[str]:
    """The spaces that a user may read now."""
    spaces = PostgresSpaces(entrance.databases.rag)
    return [space.name for space in await spaces.readable(Reader(user_id))]


async def signed_in(entrance: Entrance) -> int:
    """The user of somebody who has signed in."""
    async with entrance.browser() as browser:
        await entrance.sign_in(browser)
        user_id = await entrance.user_of(browser)
    assert user_id is not None
    return user_id


async def test_group_opens_a_space_and_closes_it_within_a_minute(entrance: Entrance) -> None:
    """While the person is there, the provider is asked again; without them, its word runs out."""
    hostile = entrance.hostile
    hostile.groups = ["board", "a:b", "x" * 400, "\n"]
    user_id = await signed_in(entrance)
    assert await spaces_of(entrance, user_id) == ["Board"]
    calls = hostile.calls.count("userinfo")
    await entrance.people.refresh(user_id)
    assert hostile.calls.count("userinfo") == calls
    hostile.groups = []
    await age(entrance, 25)
    await entrance.people.refresh(user_id)
    assert await spaces_of(entrance, user_id) == []
    hostile.groups = ["board"]
    await age(entrance, 25)
    await entrance.people.refresh(user_id)
    assert await spaces_of(entrance, user_id) == ["Board"]
    await age(entrance, 60)
    assert await spaces_of(entrance, user_id) == []


async def test_groups_outlive_a_token_and_an_outage_but_no_refusal(entrance: Entrance) -> None:
    """The token is renewed; a provider that is away keeps its word ten minutes, as Telegram."""
    hostile = entrance.hostile
    hostile.groups = ["board"]
    user_id = await signed_in(entrance)
    hostile.token_works = False
    await age(entrance, 25)
    await entrance.people.refresh(user_id)
    assert await spaces_of(entrance, user_id) == ["Board"]
    hostile.is_away = True
    await age(entrance, 60)
    await entrance.people.refresh(user_id)
    assert await spaces_of(entrance, user_id) == ["Board"]
    await age(entrance, 600)
    await entrance.people.refresh(user_id)
    assert await spaces_of(entrance, user_id) == []
    hostile.is_away, hostile.refresh_works = False, False
    await age(entrance, 25)
    await entrance.people.refresh(user_id)
    assert await entrance.people.sessions.all_of(user_id) == []
    identity = await entrance.people.identities.of_user(user_id)
    assert identity is not None
    assert identity.tokens is None


async def test_groups_open_nothing_without_a_key(databases: Databases, database_url: str) -> None:
    """No token is stored, so nothing could take the right back."""
    execute(database_url, SPACE)
    execute(database_url, SOURCE)
    async with (
        hostile_provider() as hostile,
        open_entrance(hostile, databases, has_seal=False, groups_claim="groups") as entrance,
    ):
        hostile.groups = ["board"]
        user_id = await signed_in(entrance)
        assert await spaces_of(entrance, user_id) == []


async def test_tokens_are_stored_sealed(entrance: Entrance) -> None:
    """A copy of the database opens nothing at the provider."""
    user_id = await signed_in(entrance)
    identity = await entrance.people.identities.of_user(user_id)
    assert identity is not None
    assert identity.tokens is not None
    assert b"access-1" not in identity.tokens


async def test_logout_ends_the_sessions_that_it_names_once(entrance: Entrance) -> None:
    """By session and by person; those of others stay, and a token counts once."""
    hostile = entrance.hostile
    async with entrance.browser() as one, entrance.browser() as two, entrance.browser() as other:
        for browser, session in ((one, "s1"), (two, "s2")):
            hostile.bent = {"sid": session}
            await entrance.sign_in(browser)
        hostile.person, hostile.bent = {"sub": "ben"}, {"sid": "s3"}
        await entrance.sign_in(other)
        hostile.person, hostile.bent = {"sub": "anna"}, {}
        token = hostile.logout_token(sid="s1", sub=None)
        assert (await entrance.log_out(token)).status_code == 200
        assert await entrance.user_of(one) is None
        assert await entrance.user_of(two) is not None
        again = await entrance.log_out(token)
        assert (again.status_code, again.json()["error"]) == (400, "invalid_request")
        assert (await entrance.log_out(hostile.logout_token())).status_code == 200
        assert await entrance.user_of(two) is None
        assert await entrance.user_of(other) is not None


@pytest.mark.parametrize(
    "claims",
    [
        *({"iss": "https://elsewhere.example"}, {"aud": "another client"}, {"iat": 1, "exp": 2}),
        *({"events": {}}, {"events": None}, {"nonce": "n"}, {"jti": None}, {"sub": None}),
    ],
    ids=["issuer", "audience", "old", "event", "no-events", "nonce", "no-id", "nobody"],
)
async def test_logout_token_that_is_wrong_ends_nothing(
    entrance: Entrance, claims: dict[str, Any]
) -> None:
    """An ID token least of all: it has no event."""
    async with entrance.browser() as browser:
        await entrance.sign_in(browser)
        answer = await entrance.log_out(entrance.hostile.logout_token(**claims))
        assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")
        assert (await entrance.log_out(entrance.hostile.id_token())).status_code == 400
        assert (await entrance.log_out("noise")).status_code == 400
        assert await entrance.user_of(browser) is not None


@dataclass(slots=True)
class Chat:
    """A chat in which somebody says something to the command."""

    command: LinkCommand
    user_id: int
    buttons: list[str] = field(default_factory=list)

    async def say(self, words: str = "") -> str:
        """Send /link."""
        user = User(self.user_id)
        request = CommandRequest("link", words, user, "en", 1, Account(), "thread")
        message = (await self.command.answer(request)).message
        self.buttons = [button.data for row in message.buttons for button in row]
        return message.text

    async def press(self, data: str) -> str:
        """Press a button."""
        press = PressRequest(data, User(self.user_id), locale="en")
        verb = data.partition(":")[0]
        reply = await self.command.presses()[verb](press)
        return reply.message.text if reply.message else reply.notice


@pytest.fixture
def command(entrance: Entrance) -> LinkCommand:
    """The command with the database."""
    return make_command(entrance)


def make_command(entrance: Entrance) -> LinkCommand:
    """The command of an entrance."""
    data = PostgresUserData(entrance.databases, UserTags())
    confirmations = PostgresConfirmations(entrance.databases.app)
    return LinkCommand(entrance.people, confirmations, data.export, "Example")


async def test_account_is_linked_by_a_code_and_a_yes(
    entrance: Entrance, command: LinkCommand
) -> None:
    """From then on the person is the user of Telegram; their sessions begin anew."""
    async with entrance.browser() as browser:
        await entrance.sign_in(browser)
        person = await entrance.user_of(browser)
        assert person is not None
        page, telegram = Chat(command, person), Chat(command, ADA)
        assert "sign in with it on the bot's page" in await telegram.say()
        code = (await page.say()).rpartition(" ")[2]
        assert "Is this you: Anna Berg" in await telegram.say(code.lower())
        assert await entrance.user_of(browser) == person
        assert "Linked: Anna Berg" in await telegram.press(telegram.buttons[0])
        assert await entrance.user_of(browser) is None
        await entrance.sign_in(browser)
        assert await entrance.user_of(browser) == ADA
        assert "wrong, was used" in await Chat(command, 43).say(code)
        assert "Your account is linked: Anna Berg" in await telegram.say()
        assert "Not linked any more" in await telegram.press(telegram.buttons[0])
        assert await entrance.user_of(browser) is None
        assert await signed_in(entrance) == person


async def test_accounts_with_data_are_never_mixed(
    entrance: Entrance, command: LinkCommand, database_url: str
) -> None:
    """Before the question and after it."""
    person = await signed_in(entrance)
    page, telegram = Chat(command, person), Chat(command, ADA)
    code = (await page.say()).rpartition(" ")[2]
    await telegram.say(code)
    value = json.dumps({"items": [{"text": "likes tea"}]})
    execute(
        database_url,
        f"INSERT INTO store (prefix, key, value) VALUES ('users.{person}', 'facts', '{value}')",
    )
    assert "two accounts are never mixed" in await telegram.press(telegram.buttons[0])
    assert "two accounts are never mixed" in await telegram.say(code)
    assert await signed_in(entrance) == person


async def test_code_is_not_guessed_and_its_account_not_taken_twice(
    entrance: Entrance, command: LinkCommand
) -> None:
    """Five tries a minute; an account that is linked already stays as it is."""
    hostile = entrance.hostile
    anna = await signed_in(entrance)
    telegram = Chat(command, ADA)
    code = (await Chat(command, anna).say()).rpartition(" ")[2]
    await telegram.say(code)
    await telegram.press(telegram.buttons[0])
    hostile.person = {"sub": "ben"}
    ben = await signed_in(entrance)
    assert not has_telegram(ben)
    code = (await Chat(command, ben).say()).rpartition(" ")[2]
    assert "linked already" in await telegram.say(code)
    guesser = Chat(command, 44)
    answers = [await guesser.say("AAAA AAAA AAAA") for _ in range(7)]
    assert "Too many codes" in answers[-1]
    assert "wrong" in answers[0]


async def test_everything_is_exported_and_forgotten(entrance: Entrance) -> None:
    """The provider's word on a person, and their sessions; nothing of it stays."""
    hostile: HostileProvider = entrance.hostile
    hostile.groups, hostile.person = ["board"], {"sub": "anna", "name": "Anna", "email": "a@b.c"}
    user_id = await signed_in(entrance)
    data = PostgresUserData(entrance.databases, UserTags())
    exported = await data.export(user_id)
    (identity,) = exported["oidc_identities"]
    assert (identity["subject"], identity["email"], identity["groups"]) == (
        *("anna", "a@b.c"),
        ["board"],
    )
    assert "tokens" not in identity
    await data.forget(user_id)
    assert await entrance.people.identities.of_user(user_id) is None
    assert await spaces_of(entrance, user_id) == []
