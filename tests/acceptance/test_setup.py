"""From nothing to a first answer with `rich-agent setup`: at a terminal, and by options."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from rich_agent.commands.demo import sample_domain
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.world import TOKEN, Sandbox, environment, running_sandbox
from tests.database import PostgresServer
from tests.forking import Ended, run_to_end

SETUP = ("rich_agent.cli", "setup")
OF_THE_BOT = "TELEGRAM_BOT_TOKEN OPENAI_API_KEY OPENAI_BASE_URL CHAT_MODEL VISION_MODEL"
OF_THE_BOT += " EMBEDDING_MODEL TAVILY_API_KEY ADMIN_USERS"


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
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "leave.md").write_text("# Leave policy\n\nEverybody has 28 days of leave.\n")
    with database_server.database(database_template) as url:
        told = environment(sandbox.url, url)
        of_the_bot = {*OF_THE_BOT.split(), *sample_domain()}
        yield {name: value for name, value in told.items() if name not in of_the_bot}


@pytest.mark.costs("setup goes from nothing to an answer")
def test_setup_at_a_terminal_ends_with_a_first_answer(
    newcomer: dict[str, str], sandbox: Sandbox, tmp_path: Path, user: int
) -> None:
    """A wrong token and a wrong address are asked for again; an id is read from a message.

    What is typed ahead of a hidden answer is lost: its prompt is awaited with its last space.
    """
    with at_terminal(SETUP, newcomer, tmp_path) as terminal:
        terminal.until("@BotFather: ")
        terminal.type("1:wrong\n")
        terminal.until("@BotFather: ")
        terminal.type(f"{TOKEN}\n")
        terminal.until("Who may use it")
        terminal.type("\n")
        terminal.until("write any message")
        sandbox.say(user + 50_000, "a stranger")
        terminal.until(f"has the id {user + 50_000}. Is this you? [y/N]: ")
        terminal.type("n\n")
        sandbox.say(user, "hi")
        terminal.until(f"has the id {user}. Is this you? [y/N]: ")
        terminal.type("y\n")
        terminal.until("Model server")
        terminal.type("nonsense\n")
        terminal.until("name of a known server")
        terminal.until("Model server")
        terminal.type("http://127.0.0.1:9/v1\n")
        terminal.until("(Enter: none): ")
        terminal.type("sandbox\n")
        terminal.until("127.0.0.1:9 cannot be reached")
        terminal.until("Check the address")
        terminal.type(f"{sandbox.url}\n")
        terminal.until("(Enter: none): ")
        terminal.type("sandbox\n")
        assert "sandbox-chat" in terminal.until("writes the answers")
        terminal.type("sandbox-chatt\n")
        terminal.until("does not list sandbox-chatt")
        terminal.type("\n")
        for asked, answer in (("plans", ""), ("photos", "sandbox-vision"), ("vectors", "")):
            terminal.until(asked)
            terminal.type(f"{answer}\n")
        terminal.until("about, in a sentence")
        terminal.type("Rules of Example Ltd. on leave and travel\n")
        terminal.until("Where are they")
        terminal.type("papers\n")
        assert "FAIL" not in terminal.until("A first question")
        terminal.type("How many days of leave do I have?\n")
        assert "28 days" in terminal.until("start the bot")
        assert terminal.end() == 0
    written = dotenv_values(tmp_path / ".env")
    assert written["ALLOWED_USERS"] == written["ADMIN_USERS"] == str(user)
    assert written["OPENAI_BASE_URL"] == f"{sandbox.url}/v1"
    assert written["VISION_MODEL"] == "sandbox-vision"
    assert "PLANNER_MODEL" not in written
    assert written["DOMAIN_DESCRIPTION"] == "Rules of Example Ltd. on leave and travel"
    assert (tmp_path / ".env").stat().st_mode & 0o077 == 0


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
    done = set_up(*options, "--documents", "papers", "--users", "*", "--embedding-model", "none")
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
