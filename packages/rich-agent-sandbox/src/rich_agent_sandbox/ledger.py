"""The calls that the stand-ins received, and the faults that they have to show.

It has no rules of an upstream: stand-ins record their calls here and get the next fault.
"""

import itertools
import json
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Upstream = Literal["telegram", "openai", "tavily", "confluence", "drive"]
CALLS_KEPT = 20_000


@dataclass(frozen=True, slots=True)
class Call:
    """One request that an upstream received.

    `body`: the parsed request with binary parts replaced by their size.
    `status`: the HTTP status of the answer.
    `started_at`, `ended_at`: seconds since the epoch.
    `server`: the personality of a model server, "" for the one at `/v1`.
    """

    number: int
    upstream: Upstream
    method: str
    body: Mapping[str, Any]
    status: int
    started_at: float
    ended_at: float
    server: str = ""

    def to_json(self) -> dict[str, Any]:
        """The call as listed by `GET /sim/calls`."""
        return {
            "number": self.number,
            "upstream": self.upstream,
            "method": self.method,
            "body": dict(self.body),
            "status": self.status,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "server": self.server,
        }


@dataclass(slots=True)
class Fault:
    """A failure that an upstream shows for its next `times` matching calls.

    `kind`: one of the kinds in the upstream's module.
    `method`: limits the fault to one method.
    `chat_id`: limits it to one chat of Telegram.
    `containing`: limits it to requests with these texts in their body.
    `server`: limits it to one personality of a model server.
    `retry_after`, `delay_s`: seconds.
    `text`: the model's text instead of its own.
    `calls`: the tools that the model calls.
    `status`: the status of a refusal whose kind does not imply one.
    """

    upstream: Upstream
    kind: str
    method: str | None = None
    times: int = 1
    retry_after: int | None = None
    delay_s: float = 0.0
    chat_id: int | None = None
    containing: str | Sequence[str] = ()
    server: str | None = None
    text: str = ""
    status: int = 400
    calls: Sequence[Mapping[str, Any]] = ()

    def is_aimed_at(self, body: str) -> bool:
        """Whether the body contains all texts that the fault requires."""
        texts = [self.containing] if isinstance(self.containing, str) else self.containing
        return all(text in body for text in texts)


@dataclass(slots=True)
class Ledger:
    """Calls in the order in which they ended, and the remaining faults.

    Each call is also appended to the file `journal` as a line of JSON. The lines are never removed.
    """

    clock: Callable[[], float] = time.time
    journal: Path | None = None
    _calls: deque[Call] = field(default_factory=lambda: deque(maxlen=CALLS_KEPT))
    _faults: list[Fault] = field(default_factory=list)
    _numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(1))

    def record(  # noqa: PLR0913 - the parts of a call
        self,
        upstream: Upstream,
        method: str,
        body: Mapping[str, Any],
        *,
        status: int,
        started_at: float,
        server: str = "",
    ) -> Call:
        """Append a finished call and return it."""
        times = started_at, self.clock()
        call = Call(next(self._numbers), upstream, method, body, status, *times, server)
        self._calls.append(call)
        if self.journal:
            # One unbuffered write, because several sandboxes may share a journal.
            with self.journal.open("ab", buffering=0) as journal:
                journal.write(json.dumps(call.to_json()).encode() + b"\n")
        return call

    def calls(self, upstream: Upstream | None = None) -> list[Call]:
        """The calls received, oldest first (the newest 20,000 are kept)."""
        return [call for call in self._calls if upstream in (None, call.upstream)]

    @property
    def newest(self) -> int:
        """The number of the newest stored call; 0 if there is none."""
        return self._calls[-1].number if self._calls else 0

    def plan_fault(self, fault: Fault) -> None:
        """Show `fault` from now on, after the faults that were planned before."""
        self._faults.append(fault)

    def next_fault(
        self,
        upstream: Upstream,
        method: str,
        *,
        body: str = "",
        applies: Callable[[Fault], bool] = lambda _: True,
    ) -> Fault | None:
        """Use the first fault that matches the request and `applies` once; None without one."""
        for fault in self._faults:
            is_for_call = fault.upstream == upstream and fault.method in (None, method)
            if is_for_call and fault.is_aimed_at(body) and applies(fault):
                fault.times -= 1
                if fault.times <= 0:
                    self._faults.remove(fault)
                return fault
        return None

    def drop_faults(self) -> None:
        """Drop all planned faults."""
        self._faults.clear()

    def forget(self) -> None:
        """Drop all calls and faults."""
        self._calls.clear()
        self.drop_faults()
