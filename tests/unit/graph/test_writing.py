"""Waiting for a model that writes: for how long, and what the user sees meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest
from typing_extensions import override

from rich_agent.errors import EarlyEndError, UpstreamTimeoutError
from rich_agent.graph.answer import writing
from rich_agent.graph.answer.writing import WriteTimeouts, write
from rich_agent.graph.nodes.synthesize import synthesize
from rich_agent.graph.views import entry_of, messages_before
from rich_agent.ports.models import Prompt
from tests import make
from tests.scripted import ScriptedChat

PROMPT = Prompt("system", "question")
DIRECT = {"intent": "general_question", "plan": "direct", "reason": "r"}


@dataclass(slots=True)
class PacedChat(ScriptedChat):
    """Says each piece after a pause."""

    said: Sequence[tuple[float, str]] = field(default_factory=list)

    @override
    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """See `ChatModel`."""
        self.prompts.append(prompt)
        for pause_s, piece in self.said:
            await asyncio.sleep(pause_s)
            yield piece


async def test_thinking_aloud_prolongs_the_patience_and_is_told_once() -> None:
    """Three thoughts, each within the patience and together beyond it, before the first word."""
    chat = PacedChat(said=[(0.15, ""), (0.15, ""), (0.15, ""), (0.0, "Low.")])
    told: list[str] = []
    context = make.Fakes(chat=chat).context()
    written = await write(
        PROMPT, context, WriteTimeouts(0.3, 5.0), think=lambda: told.append("thinking")
    )
    assert (written.text, told) == ("Low.", ["thinking"])


async def test_thinking_that_never_ends_is_given_up() -> None:
    """A model that goes round in circles holds nobody's turn for ever."""
    chat = PacedChat(said=[(0.02, "")] * 1_000)
    with pytest.raises(UpstreamTimeoutError):
        await write(PROMPT, make.Fakes(chat=chat).context(), WriteTimeouts(0.1, 5.0))


async def test_silence_is_told_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that thinks without a sign; once it speaks there is nothing to tell."""
    monkeypatch.setattr(writing, "SILENCE_S", 0.05)
    told: list[str] = []
    for said in ([(0.2, "Low.")], [(0.0, "Low"), (0.2, ".")]):
        context = make.Fakes(chat=PacedChat(said=said)).context()
        await write(PROMPT, context, WriteTimeouts(5.0, 5.0), think=lambda: told.append("thinking"))
    assert told == ["thinking"]


@pytest.mark.parametrize(
    ("reason", "words", "said"),
    [
        ("length", "", "The answer became too long"),
        ("repeated", "", "repeated itself"),
        ("filtered", "", "content filter"),
        ("refused", "I can't help with that.", "declined"),
    ],
)
async def test_synthesize_marks_an_answer_that_ended_early(
    reason: str, words: str, said: str
) -> None:
    """The written text stays, with its citations and a line that says so; no repair is tried."""
    early = EarlyEndError("model", reason, words)
    cast = make.Fakes(chat=ScriptedChat(("Fees are **low [1]",), [early]))
    chunks = [make.passage(1).to_state()]
    runtime = make.runtime(cast)
    state = make.state("Fees?", rag={"retrieved_chunks": chunks})
    update = await synthesize(state, runtime)
    text = update["answer"]["text"]
    assert text.startswith("Fees are **low [1]")
    assert said in text.splitlines()[-1]
    assert words in text
    assert update["answer"]["citations"]
    assert (update["answer"]["is_cut"], update["answer"]["debug"]) == (
        reason in {"length", "repeated"},
        {"early_end": reason},
    )
    assert len(cast.chat.prompts) == 1


async def test_message_that_a_filter_stops_is_in_no_later_prompt() -> None:
    """Else every prompt would be stopped, for as long as the conversation holds it."""
    early = EarlyEndError("model", "filtered")
    state = make.state("Something vile", routing=DIRECT)
    update = await synthesize(state, make.runtime(make.Fakes(chat=ScriptedChat(("",), [early]))))
    later = make.state("Fees?", routing=DIRECT)
    later["messages"] = [*update["messages"]]
    later["request"] = {**later["request"], "request_id": "later"}
    history = str([entry_of(message) for message in messages_before(later)])
    assert "Something vile" not in history
    assert "content filter" in history
