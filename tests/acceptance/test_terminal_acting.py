"""The assistant acts at the terminal: cards, keys, undo, and decisions of a program."""

import json
from pathlib import Path

import pytest

from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.scripting import calling
from tests.acceptance.world import World, ask, command

_TASKS = "SELECT title FROM tasks WHERE user_id = %s AND deleted_at IS NULL ORDER BY id"


def titles(world: World, user: int) -> list[str]:
    """The user's tasks."""
    return [row["title"] for row in world.rows(_TASKS, user)]


def two_tasks(first: str, second: str) -> dict[str, object]:
    """Two tasks at once, which need approval."""
    return {"calls": [calling("create_task", title=first), calling("create_task", title=second)]}


@pytest.mark.feature("agenda")
@pytest.mark.costs("it runs commands as processes of their own")
def test_chat_shows_what_happens_and_undoes_it(prepared: World, user: int, tmp_path: Path) -> None:
    """A change is told while it is made and below the answer; a number takes it back."""
    call = calling("create_task", title="Buy milk")
    prepared.sandbox.script(f"milk of {user}", call, "I added it.")
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, prepared.environment, tmp_path) as terminal:
        terminal.until("> ")
        terminal.type(f"Add a task: buy the milk of {user}\n")
        answer = terminal.until("\n> ")
        assert "Adding a task" in answer
        assert "✓" in answer
        assert "1. Undo" in answer
        assert titles(prepared, user) == ["Buy milk"]
        terminal.type("1\n")
        assert "Undone:" in terminal.until("\n> ")
        assert titles(prepared, user) == []
        terminal.type("1\n")
        assert "can no longer be undone" in terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0


@pytest.mark.feature("agenda")
@pytest.mark.costs("it runs commands as processes of their own")
def test_chat_takes_words_and_keys_at_a_card(prepared: World, user: int, tmp_path: Path) -> None:
    """Words change the card, n drops one, y does what is on the last; thanks pass one over."""
    prepared.sandbox.script(
        f"party of {user}",
        two_tasks("Buy cake", "Buy candles"),
        two_tasks("Buy pie", "Buy candles"),
        "Both are on your list.",
    )
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, prepared.environment, tmp_path) as terminal:
        terminal.until("> ")
        terminal.type(f"Add two tasks for the party of {user}\n")
        card = terminal.until("\n> ")
        assert "Buy cake" in card
        assert "y. Approve" in card
        assert "n. Cancel" in card
        terminal.type("rather a pie than a cake\n")
        assert "Buy pie" in terminal.until("\n> ")
        assert titles(prepared, user) == []
        terminal.type("/language\n")
        terminal.until("\n> ")
        terminal.type("y\n")
        assert "1. Undo" in terminal.until("\n> ")
        assert titles(prepared, user) == ["Buy pie", "Buy candles"]
        prepared.sandbox.script(f"tea of {user}", two_tasks("Buy tea", "Buy cups"))
        terminal.type(f"Add two tasks for the tea of {user}\n")
        terminal.until("\n> ")
        terminal.type("n\n")
        assert "Nothing was changed." in terminal.until("\n> ")
        prepared.sandbox.script(f"jam of {user}", two_tasks("Buy jam", "Buy rolls"))
        terminal.type(f"Add two tasks for the jam of {user}\n")
        terminal.until("\n> ")
        terminal.type("thanks\n")
        assert "✗ Add a task: Not done." in terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0
    assert titles(prepared, user) == ["Buy pie", "Buy candles"]


@pytest.mark.feature("agenda")
@pytest.mark.costs("it runs commands as processes of their own")
@pytest.mark.req("INT-1")
def test_ask_names_what_waits_and_takes_a_decision(prepared: World, user: int) -> None:
    """A card ends with the commands that decide on it; each decides on this very card, once."""
    settings, who = prepared.environment, ("--user", str(user))
    prepared.sandbox.script(f"hike of {user}", two_tasks("Buy boots", "Buy maps"))
    first = ask(f"Add two tasks for the hike of {user}", settings, *who)["interrupt"]
    assert first["kind"] == "tool_approval"
    assert [call["arguments"]["title"] for call in first["calls"]] == ["Buy boots", "Buy maps"]
    assert [card["fields"][0]["value"] for card in first["cards"]] == ["Buy boots", "Buy maps"]
    prepared.sandbox.script(f"hike of {user}", two_tasks("Buy boots", "Buy socks"), "They are in.")
    card = command(["rich_agent.cli", "ask", "socks, not maps", *who], settings).stdout
    assert "Buy socks" in card
    approval = card.partition(f"rich-agent ask --user {user} --approve ")[2].split()[0]
    assert approval != first["fingerprint"]
    deciding = ["rich_agent.cli", "ask", *who]
    stale = command([*deciding, "--approve", first["fingerprint"]], settings, expect=1)
    assert "not open" in stale.stderr
    assert titles(prepared, user) == []
    done = command([*deciding, "--approve", approval, "--json"], settings).stdout
    assert json.loads(done)["interrupt"] is None
    assert "✓" in json.loads(done)["answer"]
    assert titles(prepared, user) == ["Buy boots", "Buy socks"]
    again = command([*deciding, "--cancel", approval], settings, expect=1)
    assert "not open" in again.stderr


@pytest.mark.feature("agenda")
def test_ask_cancels_what_waits(prepared: World, user: int) -> None:
    """Nothing is done, and no model is asked what to say to it."""
    settings, who = prepared.environment, ("--user", str(user))
    prepared.sandbox.script(f"trip of {user}", two_tasks("Buy bags", "Buy hats"))
    waits = ask(f"Add two tasks for the trip of {user}", settings, *who)["interrupt"]
    before = prepared.sandbox.mark()
    line = ["rich_agent.cli", "ask", *who, "--cancel", waits["fingerprint"]]
    assert "Nothing was changed." in command(line, settings).stdout
    asked = [call["method"] for call in prepared.sandbox.calls("openai", before)]
    assert "chat.completions" not in asked
    assert titles(prepared, user) == []


@pytest.mark.parametrize(
    "given", [[], ["Hello", "--approve", "0"], ["--approve", "0", "--cancel", "0"]]
)
def test_ask_takes_one_wish(prepared: World, given: list[str]) -> None:
    """A question, an approval or a cancellation: anything else is wrong usage."""
    refused = command(["rich_agent.cli", "ask", *given], prepared.environment, expect=2)
    assert "one of QUESTION, --approve, --cancel" in refused.stderr.replace("\n", " ")
