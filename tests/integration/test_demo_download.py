"""The download of the demo's page: what it tells, what it keeps, and when it ends."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rich_agent.commands.demo_download import DemoDownload
from rich_agent.commands.interview import Interview
from rich_agent.commands.model_choice import KEYS
from rich_agent.commands.model_download import offer_in_terminal
from rich_agent.commands.model_offer import DownloadOffer, Machine, Recommended, recommended
from rich_agent.commands.setup import Setup
from rich_agent.errors import RichAgentError
from rich_agent.upstreams.servers.local import find_local_servers
from rich_agent.upstreams.servers.offers import Offers
from tests.acceptance.world import free_port, wait_until
from tests.integration.local_servers import search_at
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.ollama_library import FULL, OllamaLibrary

MODEL, SIZE = "qwen3:4b-instruct", 2_500_000_000


class Page:
    """The states that a page is told, and the models that the bot is to answer with."""

    def __init__(self, url: str, notes: Path, program: str = "") -> None:
        self.states: list[Mapping[str, Any]] = []
        self.used: list[tuple[str, str]] = []
        self.failure: RichAgentError | None = None
        server = Offers(f"{url}/v1", (), "Ollama", downloads=True)
        offer = DownloadOffer(server, (Recommended(MODEL, SIZE),), program)
        search = search_at(Ollama=url)
        self.download = DemoDownload(search, notes, self.states.append, self.use, offer)

    def use(self, base_url: str, model: str) -> None:
        """Have the bot answer with a model."""
        if self.failure:
            raise self.failure
        self.used.append((base_url, model))

    def begin_again(self) -> None:
        """Press the button until the thread of the last download has ended."""

        def begun() -> bool:
            self.download.start(MODEL)
            return bool(self.states)

        wait_until(begun, "it began again")

    def wait_for(self, state: str) -> Mapping[str, Any]:
        """The first state of this name."""
        return wait_until(
            lambda: next((one for one in self.states if one["state"] == state), None), state
        )


def library(**behaviour: Any) -> OllamaLibrary:
    """Ollama with the model."""
    return OllamaLibrary({MODEL: (SIZE,)}, **{"pace": 250_000_000, **behaviour})


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """The file that remembers a download."""
    return tmp_path / "download.json"


def test_download_is_used_when_it_is_there(notes: Path) -> None:
    """The page is told the offer, bytes, and what answers; nothing is kept afterwards."""
    with served(library().app()) as url:
        page = Page(url, notes)
        with page.download:
            page.download.begin(at_once=True)
            assert json.loads(notes.read_text()) == {"server": "Ollama", "model": MODEL}
            assert page.wait_for("ready")["model"] == MODEL
    assert page.used == [(f"{url}/v1", MODEL)]
    order = list(dict.fromkeys(one["state"] for one in page.states))
    assert order == ["offered", "running", "starting", "ready"]
    assert any(one.get("done_bytes") for one in page.states)
    assert not notes.exists()


def test_cancel_ends_the_download_and_offers_it_again(notes: Path) -> None:
    """A later demo does not resume what its user cancelled."""
    ollama = library(hold_at=SIZE // 2)
    with served(ollama.app()) as url:
        page = Page(url, notes)
        with page.download:
            page.download.begin(at_once=True)
            page.wait_for("running")
            wait_until(lambda: ollama.pulls or None, "the pull began")
            page.download.start("")
            page.download.cancel()
            assert page.states[-1]["state"] == "offered"
            assert not notes.exists()
            wait_until(lambda: ollama.ended or None, "the pull ended")
    assert (ollama.pulls, page.used) == ([MODEL], [])


_ENDLESS = """
import sys, time
from pathlib import Path
from tests.integration.test_demo_download import Page
page = Page(sys.argv[1], Path(sys.argv[2]))
page.download.begin(at_once=True)
while not page.states[-1].get("done_bytes"):
    time.sleep(0.01)
print("bytes came", flush=True)
time.sleep(60)
"""


@pytest.mark.costs("it starts a process that is killed")
def test_download_is_resumed_after_a_kill(notes: Path) -> None:
    """The demo that follows goes on with it, unasked."""
    ollama = library(hold_at=SIZE // 2)
    with served(ollama.app()) as url:
        command = [sys.executable, "-c", _ENDLESS, url, str(notes)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as killed:
            assert killed.stdout is not None
            assert any("bytes came" in line for line in killed.stdout)
            os.kill(killed.pid, signal.SIGKILL)
        wait_until(lambda: ollama.ended or None, "the pull ended")
        ollama.hold_at = None
        page = Page(url, notes)
        with page.download:
            page.download.begin(at_once=False)
            page.wait_for("ready")
    assert ollama.pulls == [MODEL, MODEL]
    assert not notes.exists()


def test_failure_is_told_with_what_to_do_and_can_be_tried_again(notes: Path) -> None:
    """In the download, or when the bot is to use the model."""
    ollama = library(fails_at=(SIZE // 2, FULL))
    with served(ollama.app()) as url:
        page = Page(url, notes)
        with page.download:
            page.download.begin(at_once=True)
            failed = page.wait_for("failed")
            assert "no space left" in failed["error"]
            assert "Free some space" in failed["hint"]
            page.states.clear()
            page.failure = RichAgentError("it says nothing", hint="Choose a smaller model.")
            page.begin_again()
            assert page.wait_for("failed")["hint"] == "Choose a smaller model."
    assert page.used == []


def test_demo_that_ends_leaves_the_download_to_the_next_one(notes: Path) -> None:
    """It ends the request at once, and keeps the note."""
    ollama = library(hold_at=SIZE // 2)
    with served(ollama.app()) as url:
        page = Page(url, notes)
        with page.download:
            page.download.begin(at_once=True)
            wait_until(lambda: ollama.pulls or None, "the pull began")
        assert notes.exists()
        wait_until(lambda: ollama.ended or None, "the pull ended")


def test_look_again_finds_what_was_installed_meanwhile(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server is offered, and a model that chats is used at once."""
    monkeypatch.setenv("PATH", str(tmp_path))
    ollama = library()
    with served(ollama.app()) as url:
        page = Page(url, notes)
        page.download.offer = None
        page.download.begin(at_once=False)
        assert page.states[-1]["state"] == "missing"
        assert "ollama.com/install" in page.states[-1]["install_line"]
        page.download.look_again()
        assert page.states[-1]["state"] == "offered"
        ollama.installed.append(MODEL)
        page.download.look_again()
    assert page.used == [(f"{url}/v1", MODEL)]
    assert page.states[-1]["state"] == "ready"


def test_terminal_offers_a_download_and_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """For `setup`: with the size and the space, and not without a yes."""
    monkeypatch.setenv("PATH", str(tmp_path))
    best = recommended("Ollama", Machine.here())[0]
    ollama = OllamaLibrary({best.name: (best.size_bytes,)}, pace=250_000_000)
    questions: list[str] = []

    def offer(url: str, *, says_yes: bool) -> bool:
        def confirm(question: str) -> bool:
            questions.append(question)
            return says_yes

        search = search_at(Ollama=url)
        servers = asyncio.run(find_local_servers(search.places, search.patience))
        return asyncio.run(offer_in_terminal(servers, search, confirm))

    with served(ollama.app()) as url:
        assert not offer(url, says_yes=False)
        assert ollama.pulls == []
        assert offer(url, says_yes=True)
        assert f"Have Ollama download {best.name} ({best.size}, " in questions[-1]
        assert f"{best.name} is there" in capsys.readouterr().out
        assert not offer(url, says_yes=True)
    assert ollama.pulls == [best.name]
    nobody = f"http://127.0.0.1:{free_port()}"
    assert not offer(nobody, says_yes=True)
    program = tmp_path / "ollama"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    assert not offer(nobody, says_yes=True)
    assert "run `ollama serve`" in capsys.readouterr().out
    assert len(questions) == 2


def test_setup_has_a_server_download_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A yes is enough; then the server is the one that was found."""
    best = recommended("Ollama", Machine.here())[0]
    ollama = OllamaLibrary({best.name: (best.size_bytes,)}, pace=250_000_000)
    monkeypatch.setattr("typer.confirm", lambda _question: True)
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    with served(ollama.app()) as url:
        setup = Setup(Interview({}, is_at_terminal=True), search_at(Ollama=url))
        assert asyncio.run(setup._look_around()) == f"{url}/v1"
    assert ollama.installed == [best.name]


_OLLAMA = """#!{python}
import os, sys
sys.path[:0] = {path!r}
import uvicorn
from tests.stand_ins.model_servers.ollama_library import OllamaLibrary
assert sys.argv[1:] == ["serve"]
host, port = os.environ["OLLAMA_HOST"].split(":")
app = OllamaLibrary({{{model!r}: (1_000,)}}).app()
uvicorn.run(app, host=host, port=int(port), log_level="critical", lifespan="off", ws="none")
"""


@pytest.mark.costs("it starts a server as a process")
def test_ollama_that_is_only_installed_is_started_and_ended(notes: Path, tmp_path: Path) -> None:
    """At the press, on this machine's address alone; it ends with the demo."""
    program, port = tmp_path / "ollama", free_port()
    program.write_text(_OLLAMA.format(python=sys.executable, path=sys.path, model=MODEL))
    program.chmod(0o755)
    page = Page(f"http://127.0.0.1:{port}", notes, str(program))
    with page.download:
        page.download.begin(at_once=False)
        assert page.states[-1]["starts_server"]
        page.download.start("")
        page.wait_for("ready")
    assert page.used == [(f"http://127.0.0.1:{port}/v1", MODEL)]
    assert free_port_again(port)


def free_port_again(port: int) -> bool:
    """Whether nothing listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0
