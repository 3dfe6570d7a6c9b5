"""Ten conversations with each model server: `python -m bench.servers [NAME…] [--show]`.

Without names, all servers are tried and `docs/reference/model-servers.md` is written. `--show`
prints the conversations that went wrong.
"""

import argparse
import asyncio
import logging
import os
import sys
import time
from urllib.parse import urlsplit

import structlog
from openai import DefaultAsyncHttpxClient

from bench.servers.page import STEPS, Result, page
from bench.servers.running import TURNS, bot_on, converse
from rich_agent.upstreams.servers.context_windows import ServerWindows
from rich_agent_sandbox.openai.servers.personality import Personality
from tests import make
from tests.acceptance.world import (
    ROOT,
    Sandbox,
    World,
    environment,
    ingest_samples,
    running_sandbox,
)
from tests.database import PostgresServer, announce_run, remove_run, serve_databases
from tests.stand_ins.model_servers.roster import OTHERS, SERVERS

PAGE = ROOT / "docs/reference/model-servers.md"
_LIBRARIES = (ROOT / "sample" / "solana", ROOT / "docs")
_USERS_APART = 100


def main() -> None:
    """Run the command."""
    options = _options()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    os.environ["SANDBOX_TURNS"] = str(TURNS)
    announce_run()
    try:
        with serve_databases() as server, running_sandbox(*_LIBRARIES) as sandbox:
            results = _all(options, server, sandbox)
    finally:
        remove_run()
    if not options.names:
        PAGE.write_text(page(results), encoding="utf-8")
    sys.exit(any(any(one.problems.values()) for one in results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.servers")
    parser.add_argument("names", nargs="*", help="servers to try; all without one")
    parser.add_argument("--show", action="store_true", help="print conversations that went wrong")
    return parser.parse_args()


def _all(options: argparse.Namespace, server: PostgresServer, sandbox: Sandbox) -> list[Result]:
    known = {one.name: one for one in (*SERVERS, *OTHERS)}
    chosen = [known[name] for name in options.names] or list(known.values())
    with server.database(server.migrated_template()) as documents:
        ingest_samples(sandbox, environment(sandbox.url, documents))
        template = urlsplit(documents).path.strip("/")
        results = []
        for number, one in enumerate(chosen, start=1):
            with server.database(template) as url, bot_on(one, sandbox, url) as world:
                results.append(_one(one, world, number * _USERS_APART, show=options.show))
        return results


def _one(one: Personality, world: World, first_user: int, *, show: bool) -> Result:
    begun = time.monotonic()
    problems = converse(world, first_user)
    learned = world.rows("SELECT step, refused FROM model_capabilities WHERE step IS NOT NULL")
    step = max((row["step"] for row in learned), key=list(STEPS).index, default="")
    refused = sorted({name for row in learned for name in row["refused"]})
    well = sum(not problem for problem in problems.values())
    print(f"{one.name:18}{well:3} of {len(problems)}  {time.monotonic() - begun:5.1f} s  {step}")
    for user, (name, problem) in enumerate(problems.items(), start=first_user):
        if problem:
            print(f"  {name}: {problem}")
            if show:
                _show(world, user)
    window = asyncio.run(_window(world.environment["OPENAI_BASE_URL"]))
    return Result(one, problems, step, refused, window)


async def _window(url: str) -> int | None:
    async with DefaultAsyncHttpxClient() as http:
        return await ServerWindows([make.access(url, http, "sandbox-chat")]).smallest()


def _show(world: World, user: int) -> None:
    for message in world.sandbox.chat(user)["messages"]:
        print(f"    {message['from']}: {message['text'][:300]!r}")
    for one in world.decisions(user):
        print(f"    planned: {one['intent']}, {one['plan']}, {one['query']!r}: {one['reason']}")


if __name__ == "__main__":
    main()
