"""Turns on a server with one slot: `python -m bench.one_slot [--seconds N] [--log FILE]`.

SmolLM2 behind a llama.cpp server on one core, as `bench.real_servers` builds it, plans, answers and
checks. The fifth message is a question about documents. Printed are the calls of each turn, those
in a row before the first word, the uncached tokens that the server read, and those that it wrote.
It stops after some minutes (`--seconds`); a turn that is not over by then is counted as far as it
came.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import httpx

from bench.instant import served
from bench.one_slot.recording import Exchange, Recorder, before_first_word, calls_in_a_row
from bench.prompts.requests import Request, pages
from bench.real_servers.installed import Model, check_tools, llama_cpp, small_model
from tests.acceptance.world import (
    ROOT,
    World,
    environment,
    ingest_samples,
    running_bot,
    running_sandbox,
)
from tests.database import announce_run, remove_run, serve_databases

_USER = 904
_SECONDS = 270.0
_MESSAGES = (
    "Hello!",
    "Thanks!",
    "Good morning!",
    "Thank you!",
    "What do the documents say about proof of history?",
    "Write a haiku about the sea.",
)
_SETTINGS = {
    "VISION_MODEL": "",
    "EMBEDDING_MODEL": "none",
    "CHAT_PARAMETERS": '{"temperature": 0}',
    "MODEL_BUDGET_S": "600",
    "MODEL_TIMEOUT_S": "600",
}


def main() -> None:
    """Hold the conversation and print each turn."""
    parser = argparse.ArgumentParser(prog="python -m bench.one_slot")
    parser.add_argument("--seconds", type=float, default=_SECONDS)
    parser.add_argument("--log", type=Path, help="a file for the log of the model server")
    parser.add_argument("--save", type=Path, help="a file for the prompts")
    options = parser.parse_args()
    check_tools()
    announce_run()
    try:
        with tempfile.TemporaryDirectory() as folder:
            requests = _run(options.log or Path(folder, "log"), options.seconds)
        if options.save:
            options.save.write_text(pages(requests), "utf-8")
    finally:
        remove_run()


def _run(log: Path, seconds: float) -> list[Request]:
    model = small_model()
    with ExitStack() as stack:
        server = stack.enter_context(serve_databases())
        sandbox = stack.enter_context(running_sandbox(ROOT / "sample" / "solana", ROOT / "docs"))
        upstream = stack.enter_context(llama_cpp(model, log, keeps_prompts=False))
        recorder = Recorder(upstream, log)
        _warm(upstream, model)
        address = stack.enter_context(served(recorder))
        url = stack.enter_context(server.database(server.migrated_template()))
        own = {"OPENAI_BASE_URL": f"{address}/v1", "CHAT_MODEL": model.name}
        settings = environment(sandbox.url, url, **own, **_SETTINGS)
        ingest_samples(sandbox, settings)
        began = recorder.mark()
        stack.enter_context(running_bot(settings))
        world, end = World(sandbox, settings, url), time.monotonic() + seconds
        _await_rest(recorder, end)
        print(f"at the start: {len(recorder.since(began))} calls")
        for text in _MESSAGES:
            _turn(world, recorder, text, end)
        return [one.request for one in recorder.exchanges]


def _warm(upstream: str, model: Model) -> None:
    """Ask one thing: the server counts uncached tokens only if it has read something before."""
    body = {"model": model.name, "messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
    httpx.post(f"{upstream}/chat/completions", json=body, timeout=60).raise_for_status()


def _await_rest(recorder: Recorder, end: float) -> None:
    """Wait until the bot knows its model, and asks it nothing."""
    rest_since = time.monotonic()
    while time.monotonic() < min(rest_since + 3, end):
        if any(one.ended is None for one in recorder.exchanges):
            rest_since = time.monotonic()
        time.sleep(0.1)


def _turn(world: World, recorder: Recorder, text: str, end: float) -> None:
    """One message, as far as its turn comes before the `end`."""
    mark, began = recorder.mark(), time.monotonic()
    sent = world.sandbox.say(_USER, text)
    while not (is_done := world.is_done(sent)) and time.monotonic() < end:
        time.sleep(0.2)
    replies = world.sandbox.replies(_USER, sent.message_id)
    exchanges = recorder.since(mark)
    print(f"\n> {text}")
    print("  " + " ".join(" ".join(one["text"].split()) for one in replies)[:200])
    _print_calls(exchanges, began)
    took_s = time.monotonic() - began
    print(
        f"  {len(exchanges)} calls, {calls_in_a_row(before_first_word(exchanges))} in a row before"
        f" the first word; {sum(one.uncached for one in exchanges)} uncached tokens read,"
        f" {sum(one.written for one in exchanges)} written; {took_s:.0f} s"
        f"{'' if is_done else ', not over'}",
        flush=True,
    )


def _print_calls(exchanges: Sequence[Exchange], began: float) -> None:
    for one in exchanges:
        took = f"{one.ended - one.began:.0f} s" if one.ended else "not over"
        print(
            f"  {one.began - began:6.1f} s  {one.request.kind:24}"
            f"{one.uncached:6} read{one.written:6} written  {took}"
        )


if __name__ == "__main__":
    main()
