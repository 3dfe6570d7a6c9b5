"""`ingest status` in words."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from rich_agent.domain.text import counted


def status_facts(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What `status.status_now` found, by name."""
    sources = status["sources"]
    yield "sources", f"{sources['active']} active, {sources['inactive']} inactive"
    yield "documents", str(status["documents"])
    yield "chunks", str(status["chunks"])
    for space in status["spaces"]:
        yield "vectors", _space(space, status["chunks"])
    if not status["spaces"]:
        yield "vectors", "none"
    is_current = status["statistics_are_current"]
    yield "statistics", "current" if is_current else "stale; `ingest sync` renews them"
    for one in status["rounds"]:
        yield "running", _round(one)
    for run in status["runs"]:
        yield "sync", _run(run)
    if not status["runs"]:
        yield "sync", "never"
    for one in status["failing"]:
        yield "failing", f"{one['url']}: {one['reason']}"


def _space(space: Mapping[str, Any], chunks: int) -> str:
    words = f"{space['vectors']} of {space['model']} ({space['dimensions']}), {space['status']}"
    if space["status"] != "building":
        return words
    return f"{words}, {100 * space['vectors'] // max(chunks, 1)} %"


def _round(one: Mapping[str, Any]) -> str:
    if not one["processes"]:
        return f"{one['source']}: ended by a crash; the next sync goes on"
    return (
        f"{one['source']}: {one['done']} of {counted(one['documents'], 'document')}, "
        f"{counted(one['processes'], 'process', 'processes')}"
    )


def _run(run: Mapping[str, Any]) -> str:
    started = datetime.fromisoformat(run["started_at"])
    summary = run["summary"] or {}
    # One that an older version ran does not tell its sources.
    of = [", ".join(summary["sources"])] if summary.get("sources") else []
    words = ", ".join([f"{started.astimezone():%Y-%m-%d %H:%M:%S}", *of, run["status"]])
    if run["error"]:
        words += f": {run['error']}"
    if not summary:
        return words
    documents = summary["documents"]
    counted = ", ".join(f"{number} {name}" for name, number in documents.items() if number)
    return f"{words}, {summary['seconds']:.1f} s: {counted or 'nothing'}"
