"""Recordings that are given as files at the terminal."""

from pathlib import Path

import pytest

from tests.acceptance.features.voice.test_voice import QUESTION, SOUNDS, VOICE
from tests.acceptance.pseudo_terminal import at_terminal
from tests.acceptance.world import World, command


def test_ask_hears_a_recording(prepared: World, user: int) -> None:
    """Its words are the question; without a model that hears, the setting is named."""
    line = ["rich_agent.cli", "ask", "--user", str(user), "--file", str(SOUNDS / "question.ogg")]
    heard = command(line, {**prepared.environment, **VOICE})
    assert f"Text: {QUESTION}" in heard.stderr
    assert "Sources" in heard.stdout
    assert "TRANSCRIPTION_MODEL" in command(line, prepared.environment, expect=1).stderr


@pytest.mark.costs("it runs commands as processes of their own")
def test_chat_hears_a_recording(prepared: World, user: int, tmp_path: Path) -> None:
    """A file that is a recording by its name is a question."""
    line = ["rich_agent.cli", "chat", "--user", str(user)]
    with at_terminal(line, {**prepared.environment, **VOICE}, tmp_path) as terminal:
        terminal.until("> ")
        terminal.type(f"/file {SOUNDS / 'question.ogg'}\n")
        assert f"Text: {QUESTION}" in terminal.until("\n> ")
        terminal.type("\x04")
        assert terminal.end() == 0
