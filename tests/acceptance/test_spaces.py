"""Rights: what is open to some is shown to these, and to nobody else by any way out."""

import asyncio
import json
from collections.abc import Iterator

import httpx
import pytest

from rich_agent.domain.rights import PlaceReaders
from rich_agent.repositories.database.pools import open_pool
from rich_agent.repositories.knowledge.places import PostgresPlaces
from tests.acceptance.program_tokens import store_token
from tests.acceptance.programs import called, content_of
from tests.acceptance.scripting import planning
from tests.acceptance.test_commands import command as give
from tests.acceptance.test_commands import press, press_data, shown
from tests.acceptance.world import (
    World,
    command,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)
from tests.database import PostgresServer

SECRET = "zephyrine"
BOARD = f"""# Minutes of the board

## Lantern works

The board sells the lantern works to {SECRET} for 4,800 euros.
"""
HANDBOOK = """# Handbook

## Lamps

The lamps of the house are cleaned on Mondays.
"""
CODE = "quillon"
VAULT = f"""# Vault

## Marigold safe

The word that opens the marigold safe in the cellar is {CODE}.
"""
VAULT_QUESTION = "Which word opens the marigold safe in the cellar?"
QUESTION = "To whom does the board sell the lantern works?"
GROUP = -4242
READER, OTHER = 501, 502


@pytest.fixture(scope="module")
def house(
    database_server: PostgresServer,
    database_template: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A bot with a handbook for everybody and the minutes of a board for some."""
    folder = tmp_path_factory.mktemp("documents")
    with running_sandbox() as sandbox, database_server.database(database_template) as url:
        settings = environment(sandbox.url, url)
        made = World(sandbox, settings, url)
        for name, text in (("board", BOARD), ("handbook", HANDBOOK)):
            (folder / f"{name}.md").write_text(text, "utf-8")
        at_house(made, "space", "add", "Board", "--grant", f"user:{READER}")
        at_house(made, "space", "add", "Board", "--grant", f"telegram_group:{GROUP}")
        at_house(made, "add-source", str(folder / "board.md"), "--space", "board")
        at_house(made, "add-source", str(folder / "handbook.md"))
        (folder / "vault.md").write_text(VAULT, "utf-8")
        at_house(made, "add-source", str(folder / "vault.md"))
        open_vault(made)
        at_house(made, "sync")
        with running_bot(settings):
            yield made


@pytest.fixture
def world(house: World) -> Iterator[World]:
    """The house, when nothing of a test before is under way."""
    yield house
    house.sandbox.recover()
    house.await_idle()


def at_house(world: World, *arguments: str) -> str:
    """The output of a command of `ingest`."""
    return command(["ingest.cli", *arguments], world.environment).stdout


def open_vault(world: World, *readers: str) -> None:
    """As the source of the vault would be told who may read it."""
    query = "SELECT source.id, url FROM rag_sources AS source LEFT JOIN rag_documents "
    query += "ON source_id = source.id WHERE starts_with(name, 'vault')"
    ((source, url),) = [(row["id"], row["url"]) for row in world.rows(query)]

    async def told() -> None:
        async with open_pool(world.database_url, max_size=1) as pool:
            places = PostgresPlaces(pool)
            await places.assign(source, {url: "cellar"} if url else {})
            given = [PlaceReaders("cellar", frozenset(readers))]
            await places.store(source, given, [], is_whole=True)

    asyncio.run(told())


def join(world: World, user: int, status: str = "member", *, is_told: bool = False) -> None:
    """The user comes to the group, or goes."""
    body = {"user_id": user, "status": status, "is_told": is_told}
    answer = world.sandbox.http.post(f"{world.sandbox.url}/sim/groups/{GROUP}/members", json=body)
    assert answer.status_code == 200, answer.text


def learns(world: World, user: int, question: str = QUESTION, secret: str = SECRET) -> bool:
    """Whether the secret came near the model, or to the user, in an answer to the question."""
    before = world.sandbox.mark()
    said = json.dumps(world.ask(user, question))
    sent = json.dumps([call["body"] for call in world.sandbox.calls("openai", before)])
    assert (secret in said) == (secret in sent), said
    return secret in said


@pytest.mark.costs("documents are synced and asked for by several readers")
def test_reader_of_a_space_is_answered_from_it_and_nobody_else(world: World) -> None:
    """Neither an answer nor a prompt, a title, a count or a list tells others of it."""
    assert learns(world, READER)
    assert not learns(world, OTHER)
    assert "2" in give(world, READER, "/sources")["text"]
    for told in ("/sources", "/start", "/status", "/spaces"):
        text = json.dumps(give(world, OTHER, told))
        assert "board" not in text.casefold(), text
    before = world.sandbox.mark()
    world.ask(OTHER, "Which documents do you have?")
    sent = json.dumps([call["body"] for call in world.sandbox.calls("openai", before)])
    assert "andbook" in sent
    assert "Minutes" not in sent


async def test_mcp_and_pages_know_their_reader(world: World) -> None:
    """A passage is found, fetched and opened by those who may read it."""
    tokens = {user: store_token(world, user, "knowledge") for user in (READER, OTHER)}
    found = content_of(await called(world, tokens[READER], "search", query=QUESTION))["results"]
    board = next(one["id"] for one in found if "board" in one["title"].casefold())
    others = content_of(await called(world, tokens[OTHER], "search", query=QUESTION))["results"]
    assert board not in [one["id"] for one in others]
    assert SECRET in content_of(await called(world, tokens[READER], "fetch", id=board))["text"]
    assert (await called(world, tokens[OTHER], "fetch", id=board)).is_error
    page = f"{world.environment['PUBLIC_URL']}/passages/{board}"
    async with httpx.AsyncClient(trust_env=False) as http:
        opened = {
            user: await http.get(page, headers={"Authorization": f"Bearer {token}"})
            for user, token in tokens.items()
        }
    assert SECRET in opened[READER].text
    assert (opened[OTHER].status_code, SECRET in opened[OTHER].text) == (404, False)


def test_revoked_right_is_gone_at_once_also_for_what_was_cited(world: World) -> None:
    """The next question finds nothing, and the button below the old answer opens nothing."""
    user = 503
    at_house(world, "space", "add", "Board", "--grant", f"user:{user}")
    answer = world.ask(user, QUESTION)
    assert SECRET in json.dumps(answer)
    at_house(world, "space", "add", "Board", "--revoke", f"user:{user}")
    assert not learns(world, user)
    before = len(world.sandbox.chat(user)["messages"])
    told = press(world, user, answer, "[1]")
    assert len(told["messages"]) == before, "no passage is shown"
    press(world, user, answer, "Why?")
    why = world.sandbox.chat(user)["messages"][-1]["text"]
    assert "Minutes" not in why


@pytest.mark.costs("documents are synced and asked for by several readers")
def test_document_is_gone_with_the_right_to_it(world: World) -> None:
    """For others it never was: no answer, list, title, passage or explanation tells of it."""
    user = 510
    open_vault(world, f"user:{user}")
    answer = world.ask(user, VAULT_QUESTION)
    assert CODE in json.dumps(answer)
    assert not learns(world, OTHER, VAULT_QUESTION, CODE)
    assert "vault" in give(world, user, "/sources")["text"].casefold()
    assert "vault" not in json.dumps(give(world, OTHER, "/sources")).casefold()
    open_vault(world)
    assert not learns(world, user, VAULT_QUESTION, CODE)
    assert not learns(world, user, "Say that again, please.", CODE)
    for told in ("/sources", "/start", "/status"):
        assert "vault" not in json.dumps(give(world, user, told)).casefold(), told
    before = len(world.sandbox.chat(user)["messages"])
    assert len(press(world, user, answer, "[1]")["messages"]) == before, "no passage is shown"
    press(world, user, answer, "Why?")
    assert "Vault" not in world.sandbox.chat(user)["messages"][-1]["text"]
    world.ask(user, "/new")
    world.ask(user, "hi there")
    kept = world.rows("SELECT question, answer FROM turn_archive WHERE user_id = %s", user)
    assert VAULT_QUESTION in [turn["question"] for turn in kept]
    assert CODE not in str(kept)


def test_answers_from_a_space_are_in_no_archive(world: World) -> None:
    """The question is, the answer is not: it would outlive the right to read it."""
    user = 507
    at_house(world, "space", "add", "Board", "--grant", f"user:{user}")
    assert learns(world, user)
    assert SECRET in world.ask(user, "shorter please")["text"]
    world.ask(user, "/new")
    world.ask(user, "hi there")
    kept = world.rows("SELECT question, answer FROM turn_archive WHERE user_id = %s", user)
    assert QUESTION in [turn["question"] for turn in kept]
    assert SECRET not in str(kept)


@pytest.mark.costs("documents are synced and asked for by several readers")
def test_members_of_a_telegram_group_read_what_the_group_may(world: World) -> None:
    """Telegram is asked once; who leaves is shut out at once if Telegram tells, else on asking."""
    user = 504
    assert not learns(world, user)
    forget_memberships(world)
    join(world, user)
    assert learns(world, user)
    before = world.sandbox.mark()
    assert learns(world, user)
    asked = [call["method"] for call in world.sandbox.calls("telegram", before)]
    assert "getChatMember" not in asked
    join(world, user, "left", is_told=True)
    wait_for_no_member(world, user)
    assert not learns(world, user)
    join(world, user, "restricted", is_told=True)
    forget_memberships(world)
    assert learns(world, user)
    join(world, user, "kicked")
    forget_memberships(world)
    assert not learns(world, user)


def test_group_that_cannot_be_asked_reads_for_nobody(world: World) -> None:
    """The last answer holds for some minutes, then nobody belongs to the group."""
    user = 505
    join(world, user)
    assert learns(world, user)
    world.sandbox.fail("telegram", "500", method="getChatMember", times=20)
    world.rows(
        "UPDATE rag_memberships SET checked_at = now() - interval '6 minutes' "
        "WHERE user_id = %s RETURNING 1",
        user,
    )
    assert learns(world, user)
    world.rows(
        "UPDATE rag_memberships SET checked_at = now() - interval '11 minutes' "
        "WHERE user_id = %s RETURNING 1",
        user,
    )
    assert not learns(world, user)
    world.sandbox.recover()
    assert learns(world, user)


def test_user_puts_a_space_away_and_takes_it_back(world: World) -> None:
    """The buttons of /spaces; a button of a space that the user may not read does nothing."""
    user = 506
    at_house(world, "space", "add", "Board", "--grant", f"user:{user}")
    message = give(world, user, "/spaces")
    chat = press(world, user, message, "✓ Board (1)")
    assert not learns(world, user)
    assert "2" in give(world, user, "/sources")["text"]
    named = {"intent": "general_question", "plan": "rag", "query": QUESTION, "spaces": [1]}
    world.sandbox.fail("openai", "scripted", **planning("In the Board space", **named))
    assert SECRET in world.ask(user, f"In the Board space: {QUESTION}")["text"]
    world.ask(user, "/new")
    press(world, user, shown(chat, message["message_id"]), "Board (1)")
    assert learns(world, user)
    (button,) = (b for row in message["buttons"] for b in row)
    press_data(world, OTHER, give(world, OTHER, "/spaces")["message_id"], button["callback_data"])
    assert not world.rows("SELECT 1 FROM rag_unchosen_spaces")


@pytest.mark.costs("documents are synced and asked for by several readers")
def test_doctor_tells_of_a_group_that_the_bot_cannot_see(world: World) -> None:
    """Its members read nothing; once the bot is in the group, doctor is content."""
    told = command(["rich_agent.cli", "doctor"], world.environment).stdout
    assert f"the bot is not in the Telegram group {GROUP}: nobody reads" in told
    join(world, int(world.environment["TELEGRAM_BOT_TOKEN"].partition(":")[0]))
    told = command(["rich_agent.cli", "doctor"], world.environment).stdout
    assert f"members of the Telegram group {GROUP} can be told" in told


def forget_memberships(world: World) -> None:
    """As if the minutes had passed for which they hold."""
    world.rows("DELETE FROM rag_memberships WHERE checked_at IS NOT NULL RETURNING 1")


def wait_for_no_member(world: World, user: int) -> None:
    """Until the bot knows that the user left."""
    query = "SELECT 1 FROM rag_memberships WHERE user_id = %s AND NOT is_member"
    wait_until(lambda: world.rows(query, user) or None, "the bot is told")
