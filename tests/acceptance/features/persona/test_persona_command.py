"""`rich-agent persona`: a draft is previewed before it is in effect, and taken back."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.world import World, command, wait_until


def persona(world: World, *arguments: str, expect: int = 0) -> str:
    """The output of the command, also of errors."""
    line = ["rich_agent.cli", "persona", *arguments]
    done = command(line, world.environment, expect=expect)
    return done.stdout + done.stderr


def shown(world: World) -> list[dict[str, Any]]:
    """The personas as a program reads them."""
    return list(json.loads(persona(world, "show", "--json")))


@pytest.mark.costs("each command loads anew, and two preview")
def test_draft_is_previewed_applied_and_taken_back(world: World, user: int, tmp_path: Path) -> None:
    """A running bot speaks as it within seconds; the audit has each step."""
    path = tmp_path / "persona.toml"
    path.write_text('name = "Zoe"\ngreeting = "Zoe is here."\nstarters = ["Who are you?"]')
    persona(world, "set", str(path))
    refusal = persona(world, "apply", expect=1)
    assert "was not previewed yet" in refusal
    assert "rich-agent persona preview" in refusal
    assert "Zoe" not in world.ask(user, "/start")["text"]

    told = json.loads(persona(world, "preview", "--question", "Wer bist du?", "--json"))
    assert [one["question"] for one in told["answers"]][:2] == ["Wer bist du?", "Who are you?"]
    assert len(told["answers"]) == 3
    for answer in told["answers"][:2]:
        assert answer["draft"].startswith("Zoe.")
        assert not answer["present"].startswith("Zoe.")
    (place,) = shown(world)
    assert (place["from"], place["draft"]["persona"]["name"]) == ("none", "Zoe")

    persona(world, "apply")
    wait_until(lambda: "Zoe is here." in world.ask(user, "/start")["text"] or None, "the greeting")
    assert world.ask(user, "Who are you?")["text"].startswith("Zoe.")
    persona(world, "back")
    wait_until(lambda: "Zoe" not in world.ask(user, "/start")["text"] or None, "no greeting")
    (place,) = shown(world)
    assert (place["from"], place["persona"]) == ("none", None)
    actions = world.rows(
        "SELECT action, outcome FROM audit_records "
        "WHERE origin = 'shell' AND action LIKE 'persona.%%' ORDER BY id"
    )
    assert [(one["action"], one["outcome"]) for one in actions] == [
        ("persona.draft", "done"),
        ("persona.apply", "refused"),
        ("persona.apply", "done"),
        ("persona.back", "done"),
    ]


@pytest.mark.costs("it runs a command twice")
def test_wrong_draft_is_refused_with_its_line(world: World, tmp_path: Path) -> None:
    """Nothing is stored."""
    path = tmp_path / "persona.toml"
    path.write_text('name = "Zoe"\ncolour = "red"')
    assert "line 2: colour: is no part of a persona" in persona(world, "set", str(path), expect=1)
    assert "no draft for the space Sales" in persona(world, "apply", "--space", "Sales", expect=1)
