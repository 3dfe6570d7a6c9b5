"""One turn in a process of its own, which kills itself at the first call of one service.

Run as `python -m tests.integration.dying_turn DATABASE_URL DIRECTORY VICTIM [text]`, with a photo
unless it is to be `text`. The turn holds its user's lane. The file `died` in
the directory says that an earlier process died; the same turn then goes on. Calls are
appended to the file `calls`, the answer goes to stdout as JSON.
"""

import asyncio
import dataclasses
import json
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich_agent.graph.build import build_graph
from rich_agent.graph.free_steps import may_run_again
from rich_agent.graph.services import Services
from rich_agent.repositories.database.pools import Pool, open_pool
from rich_agent.repositories.images import PostgresImageSummaries
from rich_agent.repositories.memories import PostgresMemories
from rich_agent.repositories.turns.archive import PostgresArchive
from rich_agent.repositories.turns.checkpoints import make_checkpointer
from rich_agent.repositories.turns.past_turns import PostgresDecisions, PostgresTranscript
from rich_agent.runtime.fencing import work_under
from rich_agent.turns.runner import Finished, GraphTurns, TurnEvent
from tests import make
from tests.integration.turns_on_postgres import cast_for, take_lane
from tests.scripted import ScriptedFiles

PHOTO = b"the bytes of a photo"
TELLING_CALLS = (
    "files.fetch",
    "memories.load",
    "summaries.find",
    "planner.plan",
    "passages.search",
    "web.search",
    "chat.stream",
    "transcript.record",
)
"""A call of each node of a rag+web turn, in the order of the nodes."""


@dataclass(frozen=True, slots=True)
class Watched:
    """Passes everything on to `inner`, calls after `note` heard of them."""

    label: str
    inner: Any
    note: Callable[[str], None]

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if not callable(found):
            return found

        def call(*args: Any, **kwargs: Any) -> Any:
            self.note(f"{self.label}.{name}")
            return found(*args, **kwargs)

        return call


def make_services(pool: Pool, note: Callable[[str], None]) -> Services:
    """Scripted upstreams and real repositories, all of them watched."""
    cast = cast_for("rag+web")
    cast.files = ScriptedFiles({"photo": PHOTO})
    parts = {name: getattr(cast, name) for name in ("files", "planner", "passages", "web", "chat")}
    parts |= {
        "memories": PostgresMemories(pool),
        "summaries": PostgresImageSummaries(pool),
        "decisions": PostgresDecisions(pool),
        "transcript": PostgresTranscript(pool),
        "archive": PostgresArchive(pool),
    }
    watched: dict[str, Any] = {name: Watched(name, part, note) for name, part in parts.items()}
    return dataclasses.replace(cast.services(), **watched)


async def run_turn(url: str, directory: Path, victim: str, kind: str = "") -> None:
    """The turn, up to its end or to the victim's first call."""
    died, calls = directory / "died", directory / "calls"

    def note(call: str) -> None:
        with calls.open("a") as file:
            file.write(f"{call}\n")
        if call == victim and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    request = make.request(photos=() if kind == "text" else ("photo",))
    work_under(take_lane(url))
    async with open_pool(url, max_size=4) as pool:
        checkpointer = make_checkpointer(pool, may_run_again)
        turns = GraphTurns(build_graph(checkpointer), make_services(pool, note), checkpointer)
        events = [event async for event in turns.run(request)]
    sys.stdout.write(json.dumps(_report(events)))


def _report(events: list[TurnEvent]) -> dict[str, Any]:
    last = events[-1]
    if not isinstance(last, Finished):
        raise TypeError(last)
    return {
        "events": [type(event).__name__ for event in events],
        "answer": last.outcome.answer.text,
        "nodes": list(last.outcome.nodes),
    }


if __name__ == "__main__":
    asyncio.run(run_turn(sys.argv[1], Path(sys.argv[2]), *sys.argv[3:]))
