"""Progress of a sync as a person and a log are told it."""

import io

import pytest
from rich.console import Console
from rich.progress import Progress, TextColumn

from ingest.display import status_facts
from ingest.terminal_progress import ProgressBar, ProgressLines, open_progress

EMPTY = {
    "sources": {"active": 1, "inactive": 0},
    "documents": 4,
    "chunks": 10,
    "spaces": [],
    "domain": None,
    "languages": [],
    "statistics_are_current": True,
    "rounds": [],
    "clocks": [],
    "runs": [],
    "unread": [],
    "failing": [],
}


def test_lines_speak_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    """At the beginning of a source, and every ten seconds in a long one."""
    now = [100.0]
    lines = ProgressLines(lambda: now[0])
    lines.begin("docs", 4000)
    lines.expect(800)
    for _ in range(40):
        now[0] += 1
        lines.advance(documents=50, chunks=10, tokens=1000)
    lines.say("the end")
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "docs: 4,000 documents"
    assert said[1] == (
        "docs: 500 of 4,000 documents, 50.0 in a second; 100 of 800 embedded (10,000 tokens)"
    )
    assert len(said) == 6
    assert said[-1] == "the end"


def test_bar_shows_documents_rate_chunks_and_tokens() -> None:
    """All that has been done of the source."""
    screen = io.StringIO()
    columns = [
        TextColumn("{task.completed}/{task.total} {task.fields[rate]:.0f}"),
        TextColumn("{task.fields[chunks]:,} {task.fields[tokens]:,}"),
    ]
    now = [0.0]
    progress = Progress(*columns, console=Console(file=screen, width=80), get_time=lambda: now[0])
    with progress:
        bar = ProgressBar(progress)
        bar.advance(documents=1)
        bar.begin("docs", 10)
        now[0] = 2.0
        bar.advance(documents=3)
        bar.advance(documents=1, chunks=2, tokens=3000)
        bar.say("building the index")
    assert "building the index" in screen.getvalue()
    assert "4/10 2 2 3,000" in screen.getvalue()


def test_progress_without_a_terminal_is_lines() -> None:
    """A log is not filled with control characters."""
    with open_progress() as progress:
        assert isinstance(progress, ProgressLines)


def test_status_facts_of_a_new_library() -> None:
    """Nothing has happened yet."""
    facts = dict(status_facts(EMPTY))
    assert (facts["vectors"], facts["sync"], facts["statistics"]) == ("none", "never", "current")


def test_status_facts_tell_what_goes_on() -> None:
    """Spaces with their progress, rounds with who is at it, runs with how they ended."""
    summary = {
        "sources": ["docs", "site"],
        "documents": {"new": 3, "changed": 0, "failed": 1},
        "seconds": 1.25,
    }
    at = "2026-11-21T05:00:00+00:00"
    status = EMPTY | {
        "spaces": [
            {"model": "old", "dimensions": 8, "status": "active", "vectors": 10},
            {"model": "new", "dimensions": 4, "status": "building", "vectors": 4},
        ],
        "statistics_are_current": False,
        "rounds": [
            {"source": "docs", "documents": 512, "done": 256, "is_running": True},
            {"source": "left", "documents": 5, "done": 0, "is_running": False},
        ],
        "clocks": [{"source": "wiki", "words": "rights: 3 min old, every 4 min"}],
        "runs": [
            {"started_at": at, "status": "done", "error": None, "summary": summary},
            {"started_at": at, "status": "failed", "error": "broken", "summary": None},
        ],
        "unread": [{"kind": "chart", "parts": 3, "documents": 1, "example": "https://a.example/"}],
        "failing": [{"url": "https://a.example/", "reason": "500"}],
    }
    text = "\n".join(": ".join(fact) for fact in status_facts(status))
    assert "10 of old (8), active" in text
    assert "4 of new (4), building, 40 %" in text
    assert "stale; `ingest sync`" in text
    assert "docs: 256 of 512 documents\n" in text
    assert "clock: wiki: rights: 3 min old, every 4 min\n" in text
    assert "left: ended by a crash" in text
    assert "not read: 3 charts, in 1 document, such as https://a.example/\n" in text
    assert "docs, site, done, 1.2 s: 3 new, 1 failed" in text
    assert "failed: broken" in text
    assert "failing: https://a.example/: 500" in text
