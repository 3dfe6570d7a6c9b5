"""Servers that the bot needs go out of reach, one after the other: each is told once, and shown."""

import json
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.acceptance.faults import Cable, cable_to, socket_of
from tests.acceptance.world import (
    ADMIN,
    Sandbox,
    World,
    environment,
    running_bot,
    running_sandbox,
    wait_until,
)

_QUESTION = "What is new on the web about Solana today?"
_WATCH_S = 6.0
"""Longer than any loop of the bot waits between two tries."""


class Bench:
    """A bot whose upstreams are reached by cables, which can be cut."""

    def __init__(self, world: World, cables: dict[str, Cable], log: Path) -> None:
        self.world, self.cables, self.log = world, cables, log
        self._asker = 0

    def lines(self) -> list[dict[str, Any]]:
        """The lines of the log."""
        text = self.log.read_text("utf-8")
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    def look(self, page: str) -> str:
        """A page of the bot."""
        address = f"{self.world.environment['PUBLIC_URL']}/{page}"
        return httpx.get(address, timeout=30, trust_env=False).text

    def ask_someone_new(self) -> None:
        """Send a question that nobody waits for."""
        self._asker += 1
        self.world.sandbox.say(5_000_000 + self._asker, _QUESTION)

    def cut(self, what: str) -> list[dict[str, Any]]:
        """Cut a cable while users write; the warnings until seconds after it was noticed."""
        before = len(self.lines())
        self.cables[what].cut()
        self.ask_someone_new()
        wait_until(lambda: _events(self.lines()[before:], "out_of_reach") or None, f"{what} away")
        end = time.monotonic() + _WATCH_S
        while time.monotonic() < end:
            self.ask_someone_new()
            time.sleep(1)
        return [line for line in self.lines()[before:] if line["level"] == "warning"]

    def mend(self, what: str) -> dict[str, Any]:
        """Mend the cable; the line that says so."""
        before = len(self.lines())
        self.cables[what].hint()
        self.ask_someone_new()
        (line, *_) = wait_until(
            lambda: _events(self.lines()[before:], "back_in_reach") or None, f"{what} is back"
        )
        assert [one for one in self.lines()[before:] if one["level"] == "warning"] == []
        return line


def _events(lines: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == event]


@pytest.mark.costs("it starts a bot of its own, and cuts it off four times")
def test_outage_is_told_once_and_shown_everywhere(database_url: str, tmp_path: Path) -> None:
    """One warning with address and hint, however many loops and users meet it; and its end."""
    log, names = tmp_path / "log", ("web search", "model server", "telegram", "database")
    with ExitStack() as stack:
        sandbox = stack.enter_context(running_sandbox())
        url = database_url
        cables = {
            name: stack.enter_context(cable_to(_target(name, sandbox, url))) for name in names
        }
        world = World(sandbox, _environment(sandbox, url, cables), url)
        stack.enter_context(running_bot(world.environment, log=log))
        bench = Bench(world, cables, log)
        world.ask(ADMIN, "hi")
        for name in names:
            warnings = bench.cut(name)
            assert [one["event"] for one in warnings] == ["out_of_reach"], warnings
            warning = warnings[0]
            assert warning["what"] == name
            assert warning["address"] in {"tavily", "127.0.0.1"} | {
                *(
                    f"127.0.0.1:{cables[name].port}{rest}"
                    for rest in ("", f", database {_name_of(url)}")
                )
            }
            assert warning["do"]
            assert warning["address"] in bench.look("readyz")
            if name in {"web search", "model server"}:
                assert f"rich_agent_out_of_reach{_labels(warning)} 1.0" in bench.look("metrics")
                status = world.ask(ADMIN, "/status")["text"]
                assert warning["do"] in status
                assert warning["error"] in status
            over = bench.mend(name)
            assert (over["what"], over["after_s"] >= _WATCH_S - 1) == (name, True)
            assert over["failures"] >= 1
            assert f"rich_agent_out_of_reach{_labels(warning)} 0.0" in bench.look("metrics")
        assert "out of reach" not in bench.look("readyz")


def _labels(line: dict[str, Any]) -> str:
    return f'{{address="{line["address"]}",what="{line["what"]}"}}'


def _name_of(url: str) -> str:
    return urlsplit(url).path[1:]


def _target(name: str, sandbox: Sandbox, url: str) -> str | int:
    return socket_of(url) if name == "database" else urlsplit(sandbox.url).port or 0


def _environment(sandbox: Sandbox, url: str, cables: dict[str, Cable]) -> dict[str, str]:
    at = {name: f"http://127.0.0.1:{cable.port}" for name, cable in cables.items()}
    return environment(sandbox.url, url) | {
        "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{cables['database'].port}/{_name_of(url)}",
        "TELEGRAM_API_BASE_URL": at["telegram"],
        "OPENAI_BASE_URL": f"{at['model server']}/v1",
        "TAVILY_BASE_URL": f"{at['web search']}/tavily",
        "LOG_FORMAT": "json",
    }
