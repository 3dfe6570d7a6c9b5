"""Output of `rich-agent trace` about a turn."""

from datetime import UTC, datetime

import pytest

from rich_agent.domain.answer.citation import Decision
from rich_agent.features.operator.trace import tell
from rich_agent.ports.turns import StoredTurn, TurnMessages
from tests.screen import screen_of

LONG = "answer.debug.repaired_because_of_a_number"
REPORT = {
    "input": {"rag.retrieved_chunks": 6, "vision.cached": False, "memory.entries": 0},
    "output": {"answer.text": "412 characters", LONG: 1},
    "usage": [{"kind": "text", "model": "m-1", "calls": 1, "input_tokens": 1200, "images": 0}],
}
TURN = StoredTurn(
    Decision(
        thread_id="tg:1",
        request_id="tg:77",
        intent="docs_required",
        plan="rag",
        reason="The documents tell it. " * 8,
        query="proof of history",
        retrieved_count=1,
        citations_count=1,
        latency_ms={"N7_persist": 1.0, "N10_take_answer": 1.0, "N6_synthesize": 1234.5},
        nodes={"N6_synthesize": REPORT},
        retrieved=[{"label": "A title " * 20, "kind": "rag", "score": 0.5, "cited": True}],
    ),
    decided_at=datetime(2026, 1, 2, tzinfo=UTC),
    said=TurnMessages("What is it?", "A clock."),
)


@pytest.mark.req("TOOL-3", "OBS-1")
def test_trace_fits_a_terminal_and_cuts_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In 80 columns; the nodes in their order, without what is empty."""
    screen = screen_of(monkeypatch, 80)
    tell(TURN)
    lines = screen.lines()
    shown = " ".join(" ".join(lines).split())
    assert max(map(len, lines)) <= 80
    assert "…" not in shown
    assert [line for line in lines if line.startswith("N")] == [
        "N10_take_answer",
        "N6_synthesize",
        "N7_persist",
    ]
    assert f"gave answer.text: 412 characters, {LONG}: 1" in shown
    assert "read rag.retrieved_chunks: 6 gave" in shown
    assert "m-1: 1 call, 1,200 tokens read" in shown
    assert "1 call, 0 in a row before the first word; 1,200 tokens read, 0 of them cached" in shown
    assert shown.count("The documents tell it.") == 8
    assert shown.count("A title") == 20


def test_trace_in_a_pipe_is_whole_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever COLUMNS says."""
    tell(TURN)
    lines = capsys.readouterr().out.splitlines()
    assert f"  gave   answer.text: 412 characters, {LONG}: 1" in lines
    assert any(line.count("The documents tell it.") == 8 for line in lines)
    assert "score\tkind\tcited\tpassage" in lines
