"""The commands as a user types them, with wrong input too."""

import json
import os
import socket
from pathlib import Path

import psycopg
import pytest

from tests.acceptance.faults import freeze
from tests.acceptance.pictures import picture
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.world import (
    World,
    ask,
    command,
    environment,
    free_port,
    wait_until,
)
from tests.documents import document
from tests.forking import ForkedProcess, Launch

BEGINNING = ["N1_ingest_input", "N2_load_long_term_memory"]
END = ["N6_synthesize", "N7_persist"]
PLANS = {
    "direct": ("Write a haiku about the sea", []),
    "rag": ("What is proof of history?", ["N5_retrieve"]),
    "web": ("What is the latest release of PostgreSQL?", ["N8_web_search"]),
    "rag+web": ("What is the SOL price on Solana today?", ["N5_retrieve", "N8_web_search"]),
}


@pytest.mark.req("STATE", "ROUTE-4", "ROUTE-5")
@pytest.mark.parametrize("plan", PLANS)
def test_ask_visits_exactly_the_nodes_of_its_plan(prepared: World, plan: str, user: int) -> None:
    """`rich-agent ask --json` gives the expected list of nodes for each of the four plans."""
    question, between = PLANS[plan]
    answer = ask(question, prepared.environment, "--user", str(user))
    assert answer["plan"] == plan
    assert answer["nodes"] == [*BEGINNING, "N4_build_effective_query", *between, *END]
    assert set(answer) >= {"answer", "citations", "intent", "reason", "interrupt", "latency_ms"}
    assert set(answer["latency_ms"]) == set(answer["nodes"])
    assert bool(answer["citations"]) == (plan != "direct")


@pytest.mark.costs("it runs commands as processes of their own")
def test_ask_says_in_a_pipe_what_it_is_doing(prepared: World, user: int) -> None:
    """On stderr and from the start; stdout has the answer alone, and --json says nothing else."""
    asked = ["rich_agent.cli", "ask", "What is proof of history?", "--user", str(user)]
    done = command(asked, prepared.environment)
    told = done.stderr.splitlines()
    assert told[:3] == ["Loading…", "Starting…", "Reading the question…"]
    assert "Searching…" in told
    assert not any(line in done.stdout for line in told)
    assert command([*asked, "--json"], prepared.environment).stderr == ""


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("STATE", "VIS-2")
def test_ask_about_an_image_looks_at_it_once(prepared: World, user: int, tmp_path: Path) -> None:
    """With an image N3 is visited; the same image in another process costs no second call."""
    file = tmp_path / "picture.png"
    file.write_bytes(picture("green", "black", seed=user))
    before = prepared.sandbox.mark()
    for _ in range(2):
        answer = ask(
            "what is in this picture?",
            prepared.environment,
            "--image",
            str(file),
            "--user",
            str(user),
        )
        assert answer["nodes"] == [
            *BEGINNING,
            "N3_vision_summarize",
            "N4_build_effective_query",
            *END,
        ]
        assert "green" in answer["answer"].lower()
    calls = json.dumps(prepared.sandbox.calls("openai", before))
    assert calls.count("image_bytes") == 1


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("MEM-1")
def test_ask_in_a_new_process_knows_the_conversation(prepared: World, user: int) -> None:
    """A fact told to one process is in the prompt of the next, and so is what was talked about."""
    told = "My favourite colour is ultramarine. Tell me about zebrafish, please."
    ask(told, prepared.environment, "--user", str(user))
    learned = prepared.rows("SELECT value::text FROM store WHERE prefix = %s", f"users.{user}")
    assert "zebrafish" not in str(learned), "the conversation alone can tell"
    before = prepared.sandbox.mark()
    ask("Which colour did I name?", prepared.environment, "--user", str(user))
    prompts = json.dumps(prepared.sandbox.calls("openai", before))
    assert "ultramarine" in prompts
    assert "zebrafish" in prompts


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("DUR-1")
def test_ask_waits_for_no_lease_of_one_that_was_killed(
    prepared: World, user: int, tmp_path: Path
) -> None:
    """It says why it waits for one that lives; when that is dead, it goes on before the lease."""
    line, environment = ["rich_agent.cli", "ask", "--user", str(user)], prepared.environment
    stopped, waiting = (
        Launch([*line, "What is proof of history?"], environment, tmp_path / name, tmp_path / name)
        for name in ("stopped", "waiting")
    )
    held = "SELECT 1 FROM telegram_lanes WHERE user_id = %s AND holder IS NOT NULL"
    # Long enough to be stopped in the middle of its answer.
    prepared.sandbox.fail("openai", "slow", containing='"stream":true', delay_s=30.0)
    holder = ForkedProcess(stopped)
    wait_until(lambda: prepared.rows(held, user) or None, "it holds its user's lane")
    freeze(prepared, holder)
    prepared.sandbox.recover()
    with psycopg.connect(prepared.database_url) as connection:
        connection.execute(
            "UPDATE telegram_lanes SET ready_at = now() + interval '1 hour' WHERE user_id = %s",
            (user,),
        )
    asking = ForkedProcess(waiting)
    why = "Another answer to this user is being written"
    waiting.stderr.touch()
    wait_until(lambda: why in waiting.stderr.read_text("utf-8"), "it says why it waits")
    holder.kill()
    assert asking.wait(90) == 0
    assert "hash" in waiting.stdout.read_text("utf-8")


@pytest.mark.req("TOOL-2")
def test_ask_without_documents_says_so(prepared: World, database_url: str, user: int) -> None:
    """An empty corpus: no citation, no invention."""
    empty = environment(prepared.sandbox.url, database_url, TAVILY_API_KEY="")
    answer = ask("What is proof of history?", empty, "--user", str(user))
    assert "I have no documents yet" in answer["answer"]
    assert answer["citations"] == []


@pytest.mark.req("DEP-1")
def test_ask_without_an_embedding_model_reads_by_words(
    prepared: World, database_url: str, user: int
) -> None:
    """`EMBEDDING_MODEL=none`: no embedding call, and the right page is still cited."""
    plain = environment(prepared.sandbox.url, database_url, EMBEDDING_MODEL="none")
    page = f"{prepared.sandbox.url}/library/solana/proof-of-history"
    before = prepared.sandbox.mark()
    command(["ingest.cli", "add-source", page], plain)
    command(["ingest.cli", "sync"], plain)
    answer = ask("What is proof of history?", plain, "--user", str(user))
    assert answer["citations"][0]["source_url"] == page
    methods = {call["method"] for call in prepared.sandbox.calls("openai", before)}
    assert "embeddings" not in methods


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.parametrize(
    ("arguments", "changes", "says"),
    [
        (["run"], {"TELEGRAM_BOT_TOKEN": ""}, "TELEGRAM_BOT_TOKEN: is missing"),
        (["run"], {"OPENAI_API_KEY": ""}, "OPENAI_API_KEY: is missing"),
        (["run"], {"TELEGRAM_BOT_TOKEN": "nonsense"}, "TELEGRAM_BOT_TOKEN"),
        (
            ["run"],
            {"TELEGRAM_BOT_TOKEN": "123456789:AAwrong-token-that-nobody-knows-000"},
            "TELEGRAM_BOT_TOKEN",
        ),
        (["run"], {"CHAT_MODEL": "no-such-model"}, "CHAT_MODEL"),
        (["run"], {"EMBEDDING_MODEL": "no-such-model"}, "EMBEDDING_MODEL"),
        (["run"], {"DATABASE_URL": "postgresql://u:secret@127.0.0.1:1/x"}, "DATABASE_URL"),
        (["run"], {"WEBHOOK_URL": "https://bot.example"}, "WEBHOOK_SECRET"),
        (["worker"], {"OPENAI_API_KEY": ""}, "OPENAI_API_KEY: is missing"),
        (["run"], {"LANGGRAPH_STRICT_MSGPACK": "false"}, "LANGGRAPH_STRICT_MSGPACK: is off"),
        (["ask", "hi"], {"LANGGRAPH_STRICT_MSGPACK": "0"}, "LANGGRAPH_STRICT_MSGPACK: is off"),
        (["serve"], {"TELEGRAM_BOT_TOKEN": ""}, "TELEGRAM_BOT_TOKEN: is missing"),
        (["ask", "What is staking?"], {"CHAT_MODEL": "no-such-model"}, "→ Check CHAT_MODEL"),
        (["ask", "hello there friend"], {"OPENAI_API_KEY": ""}, "OPENAI_API_KEY: is missing"),
        (["migrate"], {"DATABASE_URL": "postgresql://u:secret@127.0.0.1:1/x"}, "DATABASE_URL"),
    ],
)
def test_start_is_refused_with_the_setting_to_hint(
    prepared: World, arguments: list[str], changes: dict[str, str], says: str
) -> None:
    """A clear error on stderr, exit code 1, no traceback, no secret."""
    settings = {**prepared.environment, "PORT": str(free_port()), **changes}
    done = command(["rich_agent.cli", *arguments], settings, expect=1)
    assert says in done.stderr
    assert "→" in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret@" not in done.stderr


def test_start_is_refused_when_the_port_is_taken(prepared: World) -> None:
    """The error names the port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = command(["rich_agent.cli", "run"], {**prepared.environment, "PORT": port}, expect=1)
    assert f"port {port}" in done.stderr


@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("MEM-2")
def test_start_is_refused_without_tables(prepared: World, empty_database_url: str) -> None:
    """Missing tables name the command that makes them; after it the start is fine."""
    settings = {**prepared.environment, "DATABASE_URL": empty_database_url}
    done = command(["rich_agent.cli", "ask", "hi"], settings, expect=1)
    assert "rich-agent migrate" in done.stderr
    command(["rich_agent.cli", "migrate"], settings)
    assert "up to date" in command(["rich_agent.cli", "migrate"], settings).stdout
    command(["rich_agent.cli", "ask", "hi"], settings)


@pytest.mark.costs("it runs commands as processes of their own")
def test_doctor_names_what_is_wrong(prepared: World) -> None:
    """All well: exit 0. A wrong model and no Telegram: each with its hint, exit 1."""
    well = command(["rich_agent.cli", "doctor", "--json"], prepared.environment)
    assert all(finding["ok"] for finding in json.loads(well.stdout))
    broken = {
        **prepared.environment,
        "CHAT_MODEL": "no-such-model",
        "TELEGRAM_API_BASE_URL": f"http://127.0.0.1:{free_port()}",
    }
    done = command(["rich_agent.cli", "doctor"], broken, expect=1)
    assert "CHAT_MODEL" in done.stdout
    assert "FAIL  telegram" in done.stdout


def test_help_is_for_newcomers() -> None:
    """`--help` works without any setting, and wrong usage exits with 2."""
    assert "demo" in command(["rich_agent.cli", "--help"], dict(os.environ)).stdout
    command(["rich_agent.cli", "answer"], dict(os.environ), expect=2)
    command(["rich_agent.cli", "ask"], dict(os.environ), expect=2)


def promise_in_telegram(world: World, user: int) -> None:
    """A bot began to answer this user in Telegram."""
    update_id = 900_000_000 + user
    world.rows(
        "INSERT INTO telegram_inbox (update_id, user_id, urgent, raw) "
        "VALUES (%s, %s, false, '{}') RETURNING update_id",
        update_id,
        user,
    )
    world.rows(
        "INSERT INTO telegram_outbox (update_id, part, chat_id, state, message_id) "
        "VALUES (%s, 0, %s, 'sent', 7) RETURNING update_id",
        update_id,
        user,
    )


@pytest.mark.costs("it runs commands as processes of their own")
def test_chat_takes_commands_and_stops_an_answer(
    prepared: World, user: int, tmp_path: Path
) -> None:
    """As in Telegram, its buttons by numbers; Ctrl-C ends an answer, then the conversation."""
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, prepared.environment, tmp_path) as terminal:
        assert "Loading…" in terminal.until("> ")
        terminal.type("/help\n")
        assert "/memory – What I remember about you" in terminal.until("> ")
        terminal.type("What is proof of history?\n")
        answer = terminal.until("\n> ")
        assert "Searching…" in answer
        assert "Sources" in answer
        before, note, _ = answer.rpartition("(Sandbox model")
        assert note, answer
        assert not before.endswith("_")
        terminal.type("/forget\n")
        assert "1. Yes, delete everything" in terminal.until("> ")
        terminal.type("2\n")
        assert "Nothing was deleted." in terminal.until("> ")
        terminal.type("/export\n")
        assert "written to" in terminal.until("> ")
        (exported,) = tmp_path.glob("*.json")
        assert "proof of history" in exported.read_text("utf-8")
        promise_in_telegram(prepared, user)
        terminal.type("/forget\n")
        terminal.until("> ")
        terminal.type("1\n")
        assert "deleted" in terminal.until("> ")
        prepared.sandbox.fail("openai", "slow", method="chat.completions", delay_s=20.0, times=2)
        terminal.type("How is funding paid on perpetual futures?\n")
        terminal.until("Drafting…")
        terminal.type("\x03")
        assert "topped" in terminal.until("\n> ")
        terminal.type("\x03")
        assert terminal.end() == 130


@pytest.mark.costs("it runs commands as processes of their own")
def test_chat_sends_files_with_words(prepared: World, user: int, tmp_path: Path) -> None:
    """A document whose path has a space, then one that is not there."""
    (tmp_path / "the minutes.docx").write_bytes(document("minutes.docx"))
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, prepared.environment, tmp_path) as terminal:
        terminal.until("> ")
        terminal.type('/file "the minutes.docx" When\'s the garden party?\n')
        assert "20 June" in terminal.until("\n> ")
        terminal.type("/file nowhere.pdf What is in it?\n")
        assert "nowhere.pdf is no file" in terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0
