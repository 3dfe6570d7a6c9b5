"""From nothing to a first answer with `rich-agent setup`: at a terminal, and by options."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from rich_agent.commands.demo import sample_domain
from rich_agent.commands.model_choice import without_embedder
from tests.acceptance.pseudo_terminal import PseudoTerminal, at_terminal
from tests.acceptance.test_demo import BESIDE
from tests.acceptance.world import TOKEN, Sandbox, environment, running_sandbox
from tests.database import PostgresServer
from tests.forking import Ended, run_to_end
from tests.integration.local_servers import local_server
from tests.stand_ins.model_servers.local import OLLAMA

SETUP = ("rich_agent.cli", "setup")
ENTER = "a number changes that line: "
OF_THE_BOT = "TELEGRAM_BOT_TOKEN OPENAI_API_KEY OPENAI_BASE_URL CHAT_MODEL VISION_MODEL"
OF_THE_BOT += " EMBEDDING_MODEL TAVILY_API_KEY ADMIN_USERS ALLOWED_USERS"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """Of its own: a bot that serves other tests takes the messages of the shared one."""
    with running_sandbox() as running:
        yield running


@pytest.fixture
def newcomer(
    sandbox: Sandbox, database_server: PostgresServer, database_template: str, tmp_path: Path
) -> Iterator[dict[str, str]]:
    """The environment of somebody who has set nothing but where Telegram and the database are."""
    papers = tmp_path / "documents"
    papers.mkdir()
    (papers / "leave.md").write_text("# Leave policy\n\nEverybody has 28 days of leave.\n")
    with database_server.database(database_template) as url:
        told = environment(sandbox.url, url)
        of_the_bot = {*OF_THE_BOT.split(), *sample_domain()}
        yield {name: value for name, value in told.items() if name not in of_the_bot}


@pytest.mark.costs("setup goes from nothing to an answer")
def test_setup_at_a_terminal_asks_two_questions(
    newcomer: dict[str, str], sandbox: Sandbox, tmp_path: Path, user: int
) -> None:
    """A wrong token is asked for again, an id is read from a message, the rest is announced.

    What is typed ahead of a hidden answer is lost: its prompt is awaited with its last space.
    """
    with (
        local_server(OLLAMA) as ollama,
        at_terminal((BESIDE, "setup", f"Ollama={ollama}"), newcomer, tmp_path) as terminal,
    ):
        terminal.until("@BotFather: ")
        terminal.type("1:wrong\n")
        terminal.until("@BotFather: ")
        terminal.type(f"{TOKEN}\n")
        terminal.until("write any message")
        sandbox.say(user + 50_000, "a stranger")
        terminal.until(f"has the id {user + 50_000}. Is this you? [y/N]: ")
        terminal.type("n\n")
        sandbox.say(user, "hi")
        terminal.until(f"has the id {user}. Is this you? [y/N]: ")
        terminal.type("y\n")
        shown = terminal.until(ENTER)
        assert f"1 Model server: {ollama}/v1 (Ollama, found on this machine)" in shown
        assert "2 Answers: qwen3:8b" in shown
        assert f"7 Who may use it: {user}" in shown
        assert "Documents: documents (the folder here)" in shown
        terminal.type("99\n")
        terminal.until("is no line of these")
        change_models(terminal, sandbox)
        terminal.until(ENTER)
        terminal.type("\n")
        shown = terminal.until("checking everything")
        shown += terminal.until("domain: ")
        shown += terminal.until("a first question: What do the documents say about Leave policy?")
        assert "FAIL" not in shown
        assert "skipped" not in shown
        shown += terminal.until("start the bot")
        assert "28 days of leave" in shown
        assert "documents/leave.md" in shown.rpartition("[1]")[2]
        assert "solana" not in shown.casefold()
        assert terminal.end() == 0
    written = dotenv_values(tmp_path / ".env")
    assert written["ALLOWED_USERS"] == written["ADMIN_USERS"] == str(user)
    assert written["OPENAI_BASE_URL"] == f"{sandbox.url}/v1"
    assert written["VISION_MODEL"] == "sandbox-vision"
    assert not {"PLANNER_MODEL", "DOMAIN_DESCRIPTION"} & written.keys()
    assert (tmp_path / ".env").stat().st_mode & 0o077 == 0


def change_models(terminal: PseudoTerminal, sandbox: Sandbox) -> None:
    """Another server and other models, by the numbers of their lines; each answer is checked."""
    terminal.until(ENTER)
    terminal.type("1\n")
    terminal.until("Model server: openai")
    terminal.type("nonsense\n")
    terminal.until("name of a known server")
    terminal.until("Model server: openai")
    terminal.type("http://127.0.0.1:9/v1\n")
    terminal.until("(Enter: none): ")
    terminal.type("sandbox\n")
    terminal.until("127.0.0.1:9 cannot be reached")
    terminal.until("Model server: openai")
    terminal.type(f"{sandbox.url}\n")
    terminal.until("(Enter: none): ")
    terminal.type("sandbox\n")
    assert f"1 Model server: {sandbox.url}/v1 (your choice)" in terminal.until(ENTER)
    terminal.type("2\n")
    assert "sandbox-chat" in terminal.until("writes the answers")
    terminal.type("sandbox-chatt\n")
    terminal.until("does not list sandbox-chatt")
    terminal.type("\n")
    terminal.until(ENTER)
    terminal.type("4\n")
    terminal.until("describes photos")
    terminal.type("sandbox-vision\n")


@pytest.mark.costs("setup reads documents, and searches them")
def test_setup_without_a_model_shows_what_a_model_would_be_given(
    newcomer: dict[str, str], sandbox: Sandbox, tmp_path: Path, user: int
) -> None:
    """It asks for no server that is not there, and says what is missing."""
    with at_terminal((BESIDE, "setup"), newcomer, tmp_path) as terminal:
        terminal.until("@BotFather: ")
        terminal.type(f"{TOKEN}\n")
        terminal.until("write any message")
        sandbox.say(user, "hi")
        terminal.until("Is this you? [y/N]: ")
        terminal.type("y\n")
        assert "1 Model server: none was found (start Ollama" in terminal.until(ENTER)
        terminal.type("\n")
        shown = terminal.until("but no model server was found")
        assert "what a model would answer from" in shown
        assert "about-the-bot" in shown
        assert terminal.end() == 1
    assert dotenv_values(tmp_path / ".env")["EMBEDDING_MODEL"] == without_embedder()


@pytest.mark.soak
def test_setup_without_a_terminal_names_the_option_that_is_missing(
    newcomer: dict[str, str], sandbox: Sandbox, tmp_path: Path
) -> None:
    """Nothing is written then; with all options, lines that stood in `.env` stay as they are."""

    def set_up(*options: str) -> Ended:
        return run_to_end([*SETUP, *options], newcomer, tmp_path, deadline_s=90)

    refused = set_up()
    assert refused.returncode == 1
    assert "--token" in refused.stderr
    assert not (tmp_path / ".env").exists()
    (tmp_path / ".env").write_text("# mine\nRECENT_TURNS=4\n")
    options = ["--token", TOKEN, "--server", sandbox.url, "--api-key", "sandbox"]
    done = set_up(*options, "--users", "*", "--embedding-model", "none")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (tmp_path / ".env").read_text().splitlines()
    assert lines[:2] == ["# mine", "RECENT_TURNS=4"]
    assert "EMBEDDING_MODEL=none" in lines
    assert "ok    domain: Leave policy (written from the documents on" in done.stdout
    # A bot that cannot answer is not called ready.
    options += ["--embedding-model", "none", "--chat-model", "unknown"]
    failed = set_up(*options)
    assert failed.returncode == 1
    assert "start the bot" not in failed.stdout


@pytest.mark.costs("setup goes from nothing to an answer")
def test_setup_leaves_secrets_where_they_are(
    newcomer: dict[str, str], sandbox: Sandbox, tmp_path: Path
) -> None:
    """A token and a key that come from files are not copied into `.env`."""
    for name, value in (("TELEGRAM_BOT_TOKEN", TOKEN), ("OPENAI_API_KEY", "sandbox")):
        (tmp_path / name).write_text(f"{value}\n")
        newcomer[f"{name}_FILE"] = str(tmp_path / name)
    newcomer["OPENAI_BASE_URL"] = f"{sandbox.url}/v1"
    options = ["--token", "", "--users", "*", "--embedding-model", "none"]
    done = run_to_end([*SETUP, *options], newcomer, tmp_path, deadline_s=90)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "secrets: read from files: OPENAI_API_KEY, TELEGRAM_BOT_TOKEN" in done.stdout
    written = dotenv_values(tmp_path / ".env")
    assert written["ALLOWED_USERS"] == "*"
    assert not {"TELEGRAM_BOT_TOKEN", "OPENAI_API_KEY"} & written.keys()


@pytest.mark.costs("setup goes from nothing to an answer")
def test_one_ctrl_c_ends_setup(newcomer: dict[str, str], tmp_path: Path) -> None:
    """At the first question, before anything is written."""
    with at_terminal(SETUP, newcomer, tmp_path) as terminal:
        terminal.until("from @BotFather")
        terminal.type("\x03")
        terminal.until("Aborted")
        assert terminal.end() != 0
    assert not (tmp_path / ".env").exists()
