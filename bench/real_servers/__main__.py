"""This program on real model servers: `python -m bench.real_servers`, or `make real-servers`.

One part alone: `python -m bench.real_servers answers`. There are `random`, `small`, `answers` and
`litellm`; in `answers` the small model answers only, and the sandbox's stand-in plans.

A llama.cpp server with random weights shows what a model leads to that talks nonsense without an
end, and one with a small model what a real one does that is often wrong; LiteLLM's proxy, with the
sandbox's stand-in behind it, what a real proxy changes on the way.
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from bench.real_servers import small_talk
from bench.real_servers.installed import (
    LITELLM_KEY,
    check_tools,
    litellm,
    llama_cpp,
    random_model,
    small_model,
)
from bench.servers.running import TURNS, converse
from tests.acceptance.world import (
    ROOT,
    Sandbox,
    World,
    command,
    environment,
    ingest_samples,
    running_bot,
    running_sandbox,
)
from tests.database import PostgresServer, announce_run, remove_run, serve_databases
from tests.forking import run_to_end

_LIBRARIES = (ROOT / "sample" / "solana", ROOT / "docs")
_USER = 901
_TURN_S = 120.0
_DOCTOR_S = 30.0
_BOUNDS = {
    "CHAT_PARAMETERS": '{"max_tokens": 300}',
    "PLANNER_PARAMETERS": '{"max_tokens": 300}',
    "MODEL_BUDGET_S": "20",
    "MODEL_TIMEOUT_S": "20",
}
"""The server answers one request after the other, at some 200 tokens a second."""
SAID = (
    "Hello!",
    "What is proof of history?",
    "and the second one?",
    "I am allergic to peanuts and I live in Berlin.",
    "Remind me tomorrow at 8 to call the bank.",
    "Delete all my tasks.",
    "Forget everything that you know about me.",
    "今日は何曜日ですか？",
    "What is the price of SOL today?",
    "Thanks!",
)
_KEPT = (
    "SELECT (SELECT count(*) FROM tasks WHERE deleted_at IS NULL) AS tasks, "
    "(SELECT count(*) FROM schedules) AS schedules, "
    "(SELECT count(*) FROM store) AS memories, "
    "(SELECT count(*) FROM notes) AS notes"
)


def main() -> None:
    """Try all parts, or those that are named; end with 1 if anything is not as it should be."""
    parts = sys.argv[1:] or list(_PARTS)
    if unknown := set(parts) - _PARTS.keys():
        sys.exit(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(_PARTS)}")
    check_tools()
    began = time.monotonic()
    os.environ["SANDBOX_TURNS"] = str(TURNS)
    announce_run()
    problems: list[str] = []
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            serve_databases() as server,
            running_sandbox(*_LIBRARIES) as sandbox,
        ):
            for part in parts:
                problems += _PARTS[part](server, sandbox, Path(folder))
    finally:
        remove_run()
    for problem in problems:
        print(f"WRONG {problem}")
    print(f"{len(problems)} problems; {time.monotonic() - began:.0f} s")
    sys.exit(bool(problems))


def _nonsense(server: PostgresServer, sandbox: Sandbox, folder: Path) -> Iterator[str]:
    """The problems with a model that does not know what it says."""
    model, log = random_model(), folder / "random.log"
    with llama_cpp(model, log) as address, server.database(server.migrated_template()) as url:
        known = environment(sandbox.url, url)
        own = {"OPENAI_BASE_URL": address, "CHAT_MODEL": model.name, "VISION_MODEL": ""}
        settings = environment(sandbox.url, url, **own, **_BOUNDS, EMBEDDING_MODEL="none")
        yield from _doctor(settings, "this model does not follow instructions", ok=False)
        yield from _sync(settings)
        world = World(sandbox, settings, url)
        with running_bot(known):
            world.ask(_USER, "My name is Ada")
            world.ask(_USER, "Add a task: buy milk")
            world.await_idle()
        before, sent = world.rows(_KEPT)[0], sandbox.mark()
        with running_bot(settings):
            for text in SAID:
                yield from _turn(world, text)
        if (after := world.rows(_KEPT)[0]) != before:
            yield f"remembered, done or deleted: {before} became {after}"
        searched = [call["body"] for call in sandbox.calls("tavily", sent)]
        if "peanuts" in str(searched):
            yield "a private statement was searched for on the web"
        yield from _ask(settings)


def _turn(world: World, text: str) -> Iterator[str]:
    """One message: it is answered in time, and something is said."""
    began = time.monotonic()
    sent = world.sandbox.say(_USER, text)
    while not world.is_done(sent):
        if time.monotonic() - began > _TURN_S:
            yield f"{text!r}: no end within {_TURN_S:g} s"
            return
        time.sleep(0.2)
    replies = world.sandbox.replies(_USER, sent.message_id)
    shown = " ⏎ ".join(" ".join(one["text"].split()) for one in replies)
    print(f"{time.monotonic() - began:5.1f} s  {text}\n         {shown[:90]} … {shown[-240:]}")
    if not shown.strip():
        yield f"{text!r}: nothing was said"


def _small_talk(
    server: PostgresServer, sandbox: Sandbox, folder: Path, *, plans: bool = True
) -> Iterator[str]:
    """The problems of a talk with a small model; it `plans` its turns, or only answers."""
    model, log = small_model(), folder / "small.log"
    with llama_cpp(model, log) as address, server.database(server.migrated_template()) as url:
        own = {"OPENAI_BASE_URL": address, "CHAT_MODEL": model.name}
        if not plans:
            own |= {"PLANNER_BASE_URL": f"{sandbox.url}/v1", "PLANNER_MODEL": "sandbox-chat"}
        settings = environment(sandbox.url, url, **own, **small_talk.BOUNDS)
        ingest_samples(sandbox, settings)
        with running_bot(settings):
            yield from small_talk.hold_talk(World(sandbox, settings, url))


def _proxied(server: PostgresServer, sandbox: Sandbox, folder: Path) -> Iterator[str]:
    """The problems with a good model behind a real proxy."""
    names = "sandbox-chat", "sandbox-vision", "sandbox-embedding"
    behind, log = dict.fromkeys(names, f"{sandbox.url}/v1"), folder / "litellm.log"
    with litellm(log, behind) as address, server.database(server.migrated_template()) as url:
        own = {"OPENAI_BASE_URL": address, "OPENAI_API_KEY": LITELLM_KEY}
        settings = environment(sandbox.url, url, **own)
        yield from _doctor(settings, "", ok=True)
        yield from _sync(settings)
        ingest_samples(sandbox, settings)
        yield from _ask(settings)
        with running_bot(settings):
            for name, problem in converse(World(sandbox, settings, url), 1_000).items():
                print(f"LiteLLM, {name}: {problem or 'well'}")
                if problem:
                    yield f"LiteLLM, {name}: {problem}"


def _doctor(settings: dict[str, str], told: str, *, ok: bool) -> Iterator[str]:
    began = time.monotonic()
    done = run_to_end(
        ["rich_agent.cli", "doctor"], settings, Path(tempfile.gettempdir()), deadline_s=180
    )
    took = time.monotonic() - began
    print(f"{took:5.1f} s  doctor\n{done.stdout}", flush=True)
    if (done.returncode == 0) != ok or told not in done.stdout:
        yield f"doctor ended with {done.returncode} and did not say {told!r}: {done.stdout}"
    if not ok and took > _DOCTOR_S:
        yield f"doctor took {took:.0f} s"


def _sync(settings: dict[str, str]) -> Iterator[str]:
    folder = ROOT / "sample" / "solana"
    with _timed("sync"):
        command(["ingest.cli", "add-source", str(folder), "--name", "once"], settings)
        done = command(["ingest.cli", "sync", "--json"], settings)
    report: dict[str, Any] = json.loads(done.stdout)
    if report["documents"]["failed"] or not report["documents"]["new"]:
        yield f"sync: {report['documents']}"
    command(["ingest.cli", "remove-source", "once"], settings)


def _ask(settings: dict[str, str]) -> Iterator[str]:
    with _timed("ask"):
        done = command(["rich_agent.cli", "ask", "What is staking?", "--json"], settings)
    answer = json.loads(done.stdout)["answer"]
    print(f"         {' '.join(answer.split())[:300]}")
    if not answer.strip():
        yield "ask: nothing was said"


_PARTS: Mapping[str, Callable[[PostgresServer, Sandbox, Path], Iterator[str]]] = MappingProxyType(
    {
        "random": _nonsense,
        "small": _small_talk,
        "answers": partial(_small_talk, plans=False),
        "litellm": _proxied,
    }
)


@contextmanager
def _timed(what: str) -> Iterator[None]:
    began = time.monotonic()
    yield
    print(f"{time.monotonic() - began:5.1f} s  {what}", flush=True)


if __name__ == "__main__":
    main()
