"""`ingest status` in words."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any


def status_lines(status: Mapping[str, Any]) -> Iterator[str]:
    """The lines of what `status.read_status` found."""
    sources = status["sources"]
    yield f"sources    {sources['active']} active, {sources['inactive']} inactive"
    yield f"documents  {status['documents']}"
    yield f"chunks     {status['chunks']}"
    for space in status["spaces"]:
        yield f"vectors    {_space(space, status['chunks'])}"
    if not status["spaces"]:
        yield "vectors    none"
    current = "current" if status["statistics_are_current"] else "stale; `ingest sync` renews them"
    yield f"statistics {current}"
    for one in status["rounds"]:
        yield f"going on   {_round(one)}"
    for run in status["runs"]:
        yield f"sync       {_run(run)}"
    if not status["runs"]:
        yield "sync       never"
    for one in status["failing"]:
        yield f"failing    {one['url']}: {one['reason']}"


def _space(space: Mapping[str, Any], chunks: int) -> str:
    words = f"{space['vectors']} of {space['model']} ({space['dimensions']}), {space['status']}"
    if space["status"] != "building":
        return words
    return f"{words}, {100 * space['vectors'] // max(chunks, 1)} %"


def _round(one: Mapping[str, Any]) -> str:
    if not one["processes"]:
        return f"{one['source']}: ended by a crash; the next sync goes on"
    return (
        f"{one['source']}: {one['done']} of {one['documents']} documents, "
        f"{one['processes']} processes"
    )


def _run(run: Mapping[str, Any]) -> str:
    started = datetime.fromisoformat(run["started_at"])
    words = f"{started.astimezone():%Y-%m-%d %H:%M:%S}, {run['status']}"
    if run["error"]:
        words += f": {run['error']}"
    summary = run["summary"]
    if not summary:
        return words
    documents = summary["documents"]
    counted = ", ".join(f"{number} {name}" for name, number in documents.items() if number)
    return f"{words}, {summary['seconds']:.1f} s: {counted or 'nothing'}"
