"""The demo, `run` and `setup` next to model servers that run on the same machine."""

import asyncio
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from dotenv import dotenv_values

from rich_agent.commands.demo_models import find_models
from rich_agent.commands.model_choice import ModelSearch
from rich_agent.commands.model_offer import Machine, recommended
from rich_agent.settings.settings import Settings, all_settings
from rich_agent_sandbox.ledger import Ledger
from rich_agent_sandbox.openai.servers.personality import WELL_BEHAVED
from tests.acceptance.test_demo import BESIDE
from tests.acceptance.world import (
    TOKEN,
    Sandbox,
    World,
    environment,
    free_port,
    process,
    running_sandbox,
    visit,
    wait_until,
)
from tests.database import PostgresServer, fast_storage, temporary_data_dir
from tests.forking import run_to_end
from tests.integration.local_servers import embedders_only, local_server, web_server
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.model_servers.local import OLLAMA
from tests.stand_ins.model_servers.ollama_library import OllamaLibrary

MODEL_SETTINGS = ("OPENAI_", "CHAT_", "PLANNER_", "VISION_", "EMBEDDING_")
USER = 7


@pytest.fixture
def data_dir() -> Iterator[Path]:
    """An empty folder."""
    with temporary_data_dir(parent=fast_storage()) as directory:
        yield directory


@contextmanager
def demo(folder: Path, *servers: str, **settings: str) -> Iterator[tuple[Sandbox, Path]]:
    """The demo beside servers such as "Ollama=http://…", and the file with what it prints."""
    port, log = free_port(), folder / "log"
    inherited = {name: value for name, value in os.environ.items() if name not in all_settings()}
    env = {**inherited, "DATA_DIR": str(folder), **settings}
    arguments = [BESIDE, "demo", *servers, f"--port={port}"]
    with (
        process(arguments, env, f"chat at http://127.0.0.1:{port}", log),
        visit(port) as sandbox,
    ):
        yield sandbox, log


def answer(sandbox: Sandbox, text: str) -> str:
    """The bot's last message below a question, once it is whole."""
    sent = sandbox.say(USER, text)

    def whole() -> str | None:
        view = sandbox.chat(USER)
        replies = [
            one
            for one in view["messages"]
            if one["from"] == "bot" and one["message_id"] > sent.message_id
        ]
        is_growing = any(b["text"] == "Stop" for one in replies for r in one["buttons"] for b in r)
        return None if not replies or is_growing or view["typing"] else str(replies[-1]["text"])

    return wait_until(whole, f"{text!r} is answered")


def asked(ledger: Ledger, method: str = "chat.completions") -> list[Mapping[str, Any]]:
    """The requests that a server got."""
    return [call.body for call in ledger.calls("openai") if call.method == method]


@pytest.mark.soak
def test_demo_is_answered_by_a_model_of_this_machine(data_dir: Path) -> None:
    """Without a question: one line says what was found; words and vectors are its own."""
    ledger = Ledger()
    with (
        local_server(OLLAMA, ledger) as ollama,
        served(web_server()) as page,
        demo(data_dir, f"Ollama={ollama}", f"vLLM={page}") as (sandbox, log),
    ):
        said = log.read_text("utf-8")
        assert "found on this machine: qwen3:8b [8.2B, tools, photos, 4,096 tokens]" in said
        assert "CHAT_MODEL=qwen3:8b\nEMBEDDING_MODEL=nomic-embed-text:latest" in said
        assert page not in said
        assert "14 documents are ready" in said
        answer(sandbox, "What is proof of history?")
        assert {body["model"] for body in asked(ledger)} == {"qwen3:8b"}
        embedded = {body["model"] for body in asked(ledger, "embeddings")}
        assert embedded == {"nomic-embed-text:latest"}
        assert sandbox.calls("openai") == []
        about = sandbox.http.get(f"{sandbox.url}/sim/bot").json()["about"][0]
        assert "qwen3:8b" in about
        assert "Telegram is a stand-in" in about
    assert not (data_dir / ".env").exists()


@pytest.mark.soak
def test_demo_with_embedders_only_has_the_stand_in_answer(data_dir: Path) -> None:
    """The vectors are real; their length is learned from one."""
    with (
        served(embedders_only("all-minilm:latest")) as url,
        demo(data_dir, f"Ollama={url}") as (sandbox, log),
    ):
        said = log.read_text("utf-8")
        assert "all-minilm:latest makes vectors" in said
        assert "a stand-in answers" in said
        answer(sandbox, "What is proof of history?")
        methods = {call["method"] for call in sandbox.calls("openai")}
        assert "chat.completions" in methods
        assert "embeddings" not in methods


@pytest.mark.costs("the demo starts everything")
def test_demo_connects_a_model_that_the_page_names(data_dir: Path) -> None:
    """A wrong key says what to do; the right one takes effect at once, and is written nowhere."""
    key, ledger = "sk-only-in-memory-4711", Ledger()
    with local_server(WELL_BEHAVED, ledger) as url, demo(data_dir) as (sandbox, log):
        assert "no model server answers on this machine" in log.read_text("utf-8")

        def wish(kind: str, **server: object) -> tuple[int, dict[str, Any]]:
            told = sandbox.http.post(f"{sandbox.url}/sim/model/{kind}", json=server, timeout=120.0)
            return told.status_code, told.json()

        status, told = wish("test", base_url="http://127.0.0.1:9/v1", api_key=key)
        assert status == 400
        assert "cannot be reached" in told["error"]
        assert "Check the address" in told["error"]
        status, told = wish("test", base_url=url, api_key=key)
        assert status == 200, told
        assert told["model"] in told["models"]
        assert told["base_url"] == f"{url}/v1"
        status, told = wish("use", base_url=url, api_key=key, model="sandbox-chat")
        assert status == 200, told
        before = len(sandbox.calls("openai"))
        answer(sandbox, "What is impermanent loss?")
        mine = [call for call in sandbox.calls("openai")[before:] if "chat" in call["method"]]
        assert mine == []
        assert asked(ledger)
        assert "sandbox-chat" in sandbox.http.get(f"{sandbox.url}/sim/bot").json()["about"][0]
        assert wish("use", base_url=url, api_key=key, model="no-such-model")[0] == 400
        answer(sandbox, "What is a seed phrase?")
        assert wish("reset")[0] == 200
        before = len(sandbox.calls("openai"))
        answer(sandbox, "What is staking?")
        assert sandbox.calls("openai")[before:]
    held = [one for one in data_dir.rglob("*") if one.is_file() and not one.is_symlink()]
    assert [one for one in held if key.encode() in one.read_bytes()] == []


def _state(sandbox: Sandbox) -> dict[str, Any]:
    """The state of the download, as the page reads it."""
    state: dict[str, Any] = sandbox.http.get(f"{sandbox.url}/sim/model/download").json()["download"]
    return state


def _await_state(sandbox: Sandbox, *names: str) -> dict[str, Any]:
    def reached() -> dict[str, Any] | None:
        state = _state(sandbox)
        return state if state["state"] in names else None

    return wait_until(reached, f"the download is {names}")


@pytest.mark.costs("the demo starts everything")
def test_demo_downloads_a_model_and_answers_with_it(data_dir: Path) -> None:
    """Offered with its size, begun at one press, cancelled, and used once it is there."""
    best = recommended("Ollama", Machine.here())[0]
    ollama = OllamaLibrary({best.name: (best.size_bytes, 900)}, pace=10**8, hold_at=10**8)
    with (
        served(ollama.app()) as url,
        demo(data_dir, f"Ollama={url}") as (sandbox, log),
    ):
        assert f"Ollama at {url} can download {best.name}" in log.read_text("utf-8")
        offered = _state(sandbox)
        assert (offered["state"], offered["server"]) == ("offered", "Ollama")
        assert offered["models"][0] == {"name": best.name, "size_bytes": best.size_bytes}
        assert ollama.pulls == []
        for _ in range(2):
            sandbox.http.post(f"{sandbox.url}/sim/model/download", json={})
        wait_until(lambda: _state(sandbox).get("done_bytes") or None, "bytes came")
        assert ollama.pulls == [best.name]
        sandbox.http.post(f"{sandbox.url}/sim/model/cancel", json={})
        assert _state(sandbox)["state"] == "offered"
        wait_until(lambda: ollama.ended or None, "the server was told")
        ollama.hold_at = None
        sandbox.http.post(f"{sandbox.url}/sim/model/download", json={"model": best.name})
        _await_state(sandbox, "ready")
        before = len(sandbox.calls("openai"))
        answer(sandbox, "What is impermanent loss?")
        mine = [call for call in sandbox.calls("openai")[before:] if "chat" in call["method"]]
        assert mine == []
        assert {body["model"] for body in asked(ollama.ledger)} == {best.name}
        assert best.name in sandbox.http.get(f"{sandbox.url}/sim/bot").json()["about"][0]
    assert not (data_dir / "demo" / "download.json").exists()


def _without_models(settings: dict[str, str]) -> dict[str, str]:
    return {n: value for n, value in settings.items() if not n.startswith(MODEL_SETTINGS)}


def test_run_uses_a_model_of_this_machine(
    database_server: PostgresServer, database_template: str, tmp_path: Path, user: int
) -> None:
    """No server is set; the settings that keep it are printed, and written nowhere."""
    ledger, log = Ledger(), tmp_path / "log"
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        local_server(OLLAMA, ledger) as ollama,
    ):
        settings = _without_models(environment(sandbox.url, url))
        arguments = [BESIDE, "run", f"Ollama={ollama}"]
        with process(arguments, settings, "is ready", log):
            said = log.read_text("utf-8")
            assert f"OPENAI_BASE_URL={ollama}/v1\nOPENAI_API_KEY=none\nCHAT_MODEL=qwen3:8b" in said
            World(sandbox, settings, url).ask(user, "What is proof of history?")
            assert asked(ledger)
        done = run_to_end([BESIDE, "run"], settings, tmp_path, deadline_s=60)
        assert done.returncode == 1
        assert "OPENAI_API_KEY: is missing" in done.stderr


@pytest.mark.soak
def test_setup_takes_a_model_of_this_machine(
    database_server: PostgresServer, database_template: str, tmp_path: Path
) -> None:
    """Enter is enough: the address, no key, the best model of each kind."""
    with (
        running_sandbox() as sandbox,
        database_server.database(database_template) as url,
        local_server(OLLAMA) as ollama,
    ):
        settings = _without_models(environment(sandbox.url, url))
        options = [f"--token={TOKEN}", "--users=*"]
        done = run_to_end(
            [BESIDE, "setup", f"Ollama={ollama}", *options], settings, tmp_path, deadline_s=120
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Answers: qwen3:8b (8.2B, tools, photos" in done.stdout
    written = dotenv_values(tmp_path / ".env")
    assert written["OPENAI_BASE_URL"] == f"{ollama}/v1"
    assert written["CHAT_MODEL"] == "qwen3:8b"
    assert written["EMBEDDING_MODEL"] == "nomic-embed-text:latest"
    assert written["EMBEDDING_DIMENSIONS"] == "1536"
    assert "VISION_MODEL" not in written


@pytest.mark.parametrize("model", ["", "qwen3:8b"])
def test_demo_needs_no_key_where_an_address_is_set(model: str) -> None:
    """OPENAI_BASE_URL alone is enough: the model is chosen, unless CHAT_MODEL names one."""
    with local_server(OLLAMA) as url:
        given = Settings.load(
            OPENAI_BASE_URL=f"{url}/v1",
            OPENAI_API_KEY="",
            **({"CHAT_MODEL": model} if model else {}),
        )
        models = asyncio.run(find_models(given, "http://127.0.0.1:8080", ModelSearch(places=())))
    assert models.settings["OPENAI_BASE_URL"] == f"{url}/v1"
    assert models.settings["CHAT_MODEL"] == (model or "qwen3:8b")
    assert models.settings["OPENAI_API_KEY"] == "none"
