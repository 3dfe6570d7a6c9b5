"""Admission and groups on the provider's word: refusals, ends, outages, and races."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest

from rich_agent.domain.people import has_telegram
from rich_agent.features.oidc import people as vouching
from rich_agent.features.oidc.linking import LinkCommand
from rich_agent.features.oidc.repository import _CHECK_LASTS_S
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Databases
from tests.integration.catalogue import execute
from tests.integration.features.oidc.entrance import Entrance, open_entrance
from tests.integration.features.oidc.test_oidc_groups import (
    ADA,
    SOURCE,
    SPACE,
    Chat,
    age,
    make_command,
    signed_in,
    spaces_of,
)
from tests.stand_ins.oidc.provider import hostile_provider

ADMIN = 9


@pytest.fixture
async def entrance(databases: Databases, database_url: str) -> AsyncIterator[Entrance]:
    """The sign-in with groups; a space is open to the group of the board, where Anna is."""
    execute(database_url, SPACE)
    execute(database_url, SOURCE)
    async with (
        hostile_provider() as hostile,
        open_entrance(hostile, databases, groups_claim="groups") as opened,
    ):
        hostile.groups = ["board"]
        yield opened


async def entry_of(entrance: Entrance, user_id: int) -> bool | None:
    """The word of the access list about a user, None without one."""
    return (await PostgresAccounts(entrance.databases.app).find(user_id)).is_allowed


async def look(entrance: Entrance, user_id: int) -> None:
    """Ask the provider again, as before a turn half a minute later."""
    await age(entrance, 25)
    await entrance.people.refresh(user_id)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(20):
        while not is_so():  # noqa: ASYNC110 - what is awaited happens behind HTTP
            await asyncio.sleep(0.01)


async def linked(entrance: Entrance, command: LinkCommand) -> None:
    """Give Anna's identity to an account of Telegram, and sign her in with it."""
    person = await signed_in(entrance)
    telegram = Chat(command, ADA)
    await telegram.say((await Chat(command, person).say()).rpartition(" ")[2])
    await telegram.press(telegram.buttons[0])
    assert await signed_in(entrance) == ADA


async def test_refused_person_is_kept_out_until_they_sign_in_again(entrance: Entrance) -> None:
    """Not only from the page: no token of a program works, which an ended session would not end."""
    user_id = await signed_in(entrance)
    assert await entry_of(entrance, user_id) is True
    entrance.hostile.token_works = entrance.hostile.refresh_works = False
    await look(entrance, user_id)
    assert await entry_of(entrance, user_id) is False
    entrance.hostile.token_works = True
    assert await signed_in(entrance) == user_id
    assert await entry_of(entrance, user_id) is True


async def test_word_of_an_operator_outlives_a_refusal(entrance: Entrance) -> None:
    """Users whom an operator let in stay so."""
    user_id = await signed_in(entrance)
    entrance.hostile.token_works = entrance.hostile.refresh_works = False
    await PostgresAccounts(entrance.databases.app).set_access(user_id, is_allowed=True, by=ADMIN)
    await look(entrance, user_id)
    assert await entry_of(entrance, user_id) is True


async def test_account_of_telegram_is_let_in_only_while_it_is_linked(entrance: Entrance) -> None:
    """After a refusal and after the link, the settings alone decide about it."""
    command = make_command(entrance)
    await linked(entrance, command)
    assert await entry_of(entrance, ADA) is True
    entrance.hostile.token_works = entrance.hostile.refresh_works = False
    await look(entrance, ADA)
    assert await entry_of(entrance, ADA) is None
    entrance.hostile.token_works = True
    await signed_in(entrance)
    assert await entry_of(entrance, ADA) is True
    telegram = Chat(command, ADA)
    await telegram.say()
    await telegram.press(telegram.buttons[0])
    assert await entry_of(entrance, ADA) is None


async def test_admission_ends_where_nothing_vouches_for_it(databases: Databases) -> None:
    """Without groups no token is kept: it lasts as long as a session does."""
    async with (
        hostile_provider() as hostile,
        open_entrance(hostile, databases, session_hours=2.0) as entrance,
    ):
        user_id = await signed_in(entrance)
        for hours, entry in ((1, True), (1.1, False)):
            await age(entrance, int(3_600 * hours))
            await entrance.people.refresh(user_id)
            assert await entry_of(entrance, user_id) is entry
        assert await signed_in(entrance) == user_id
        assert await entry_of(entrance, user_id) is True


async def test_admission_ends_some_time_after_a_logout(entrance: Entrance) -> None:
    """The tokens are gone then, so that nobody would see that the person has left."""
    user_id = await signed_in(entrance)
    assert not has_telegram(user_id)
    assert (await entrance.log_out(entrance.hostile.logout_token())).status_code == 200
    await look(entrance, user_id)
    assert await entry_of(entrance, user_id) is True
    await age(entrance, 13 * 3_600)
    await entrance.people.refresh(user_id)
    assert await entry_of(entrance, user_id) is False


async def test_groups_of_the_id_token_alone_stay_and_are_read_anew(entrance: Entrance) -> None:
    """Some providers tell of groups nowhere else: the token is refreshed, and its word counts."""
    hostile = entrance.hostile
    hostile.tells_groups_as_info = False
    user_id = await signed_in(entrance)
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == ["Board"]
    assert await entrance.people.count_told_once() == 0
    hostile.groups = []
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == []
    assert await entry_of(entrance, user_id) is True


async def test_groups_that_only_the_sign_in_tells_stay_and_doctor_counts(
    entrance: Entrance,
) -> None:
    """Without a refresh token, as long as the provider accepts the other one."""
    hostile = entrance.hostile
    hostile.tells_groups_as_info = hostile.gives_refresh_token = False
    user_id = await signed_in(entrance)
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == ["Board"]
    assert await entrance.people.count_told_once() == 1
    hostile.token_works = False
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == []


async def test_groups_that_the_userinfo_leaves_out_are_none(entrance: Entrance) -> None:
    """Providers leave out a claim without values, where they had it before."""
    user_id = await signed_in(entrance)
    entrance.hostile.tells_groups_as_info = False
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == []


async def test_provider_that_hangs_keeps_nobody_waiting(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One waits for a moment; others are answered at once, and the look ends before its claim."""
    assert vouching._LONGEST_LOOK_S < _CHECK_LASTS_S
    monkeypatch.setattr(vouching, "_PATIENCE_S", 0.1)
    monkeypatch.setattr(vouching, "_LONGEST_LOOK_S", 0.5)
    hostile = entrance.hostile
    user_id = await signed_in(entrance)
    hostile.pause = asyncio.Event()
    asked = hostile.calls.count("userinfo")
    await look(entrance, user_id)
    for _ in range(20):
        await entrance.people.refresh(user_id)
    assert hostile.calls.count("userinfo") == asked + 1
    await until(lambda: not entrance.people._looks)
    assert await spaces_of(entrance, user_id) == ["Board"]
    hostile.pause.set()
    hostile.groups = []
    monkeypatch.undo()
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == []


async def test_answer_that_nobody_waits_for_counts_all_the_same(
    entrance: Entrance, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request that was ended meanwhile loses no token and no group."""
    user_id = await signed_in(entrance)
    entrance.hostile.pause, entrance.hostile.groups = asyncio.Event(), []
    monkeypatch.setattr(vouching, "_PATIENCE_S", 0.1)
    await look(entrance, user_id)
    assert await spaces_of(entrance, user_id) == ["Board"]
    entrance.hostile.pause.set()
    await until(lambda: not entrance.people._looks)
    assert await spaces_of(entrance, user_id) == []


@pytest.mark.parametrize("is_refused", [False, True])
async def test_logout_wins_against_a_look_under_way(
    entrance: Entrance, *, is_refused: bool
) -> None:
    """An answer to tokens that are gone gives no groups back, and ends nothing."""
    hostile = entrance.hostile
    user_id = await signed_in(entrance)
    hostile.pause, asked = asyncio.Event(), hostile.calls.count("userinfo")
    asking = asyncio.create_task(look(entrance, user_id))
    await until(lambda: hostile.calls.count("userinfo") > asked)
    hostile.token_works = hostile.refresh_works = not is_refused
    assert (await entrance.log_out(hostile.logout_token())).status_code == 200
    hostile.pause.set()
    await asking
    await until(lambda: not entrance.people._looks)
    identity = await entrance.people.identities.of_user(user_id)
    assert identity is not None
    assert (identity.tokens, list(identity.groups)) == (None, [])
    assert await spaces_of(entrance, user_id) == []
    assert await entry_of(entrance, user_id) is True
