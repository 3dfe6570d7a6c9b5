"""`rich-agent doctor` against the sandbox and against servers that are not as they should be."""

import asyncio
import json
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from typer.testing import CliRunner
from typing_extensions import override

from rich_agent.cli import app
from tests.forking import run_to_end
from tests.integration.sandbox_openai.serving import served
from tests.sandbox_server import RunningSandbox, start_sandbox

Findings = list[dict[str, Any]]


@pytest.fixture(scope="module")
def sandbox() -> Iterator[RunningSandbox]:
    """One for all tests of the module."""
    with start_sandbox() as running:
        yield running


@pytest.fixture
def settings(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    database_url: str,
    sandbox: RunningSandbox,
) -> Callable[..., None]:
    """Sets settings; those of a bot that is well are set."""
    monkeypatch.chdir(tmp_path)

    def write(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(name, value)

    write(
        TELEGRAM_BOT_TOKEN=sandbox.bot_token,
        TELEGRAM_API_BASE_URL=sandbox.url,
        OPENAI_API_KEY="sandbox",
        OPENAI_BASE_URL=f"{sandbox.url}/v1",
        CHAT_MODEL="sandbox-chat",
        VISION_MODEL="sandbox-vision",
        EMBEDDING_MODEL="sandbox-embedding",
        DATABASE_URL=database_url,
        PORT="0",
    )
    return write


def examine(*, expect: int) -> Findings:
    """The findings of doctor."""
    done = CliRunner().invoke(app, ["doctor", "--json"], catch_exceptions=False)
    assert done.exit_code == expect, done.output
    findings: Findings = json.loads(done.stdout)
    return findings


def wrong(findings: Findings) -> Findings:
    """The findings that failed."""
    return [finding for finding in findings if not finding["ok"]]


@pytest.mark.costs("doctor tries every part, in a process of its own")
def test_doctor_tries_every_role(settings: Callable[..., None], sandbox: RunningSandbox) -> None:
    """A plan, a photo, a vector and a streamed text; and it says who may cost how much."""
    httpx.delete(f"{sandbox.url}/sim")
    found = {finding["name"]: finding for finding in examine(expect=0)}
    assert {"chat model", "planner", "vision model", "embeddings"} <= found.keys()
    assert "photo" in found["vision model"]["detail"]
    assert re.search(
        r"first word after \d+\.\d s(, though .*)?; \d+\.\d s$", found["chat model"]["detail"]
    )
    assert re.search(r"takes about \d,\d{3} tokens; set MODEL_PRICES", found["cost"]["detail"])
    calls = httpx.get(f"{sandbox.url}/sim/calls", params={"upstream": "openai"}).json()
    assert "image_url" in json.dumps(calls)
    assert found["access"]["level"] == found["daily limit"]["level"] == "warn"
    assert re.search(r"send it [\w-]{22} in Telegram", found["access"]["hint"])
    settings(ALLOWED_USERS="*", DAILY_TOKENS="0", MODEL_PRICES="sandbox-chat=0.4/1.6")
    found = {finding["name"]: finding for finding in examine(expect=0)}
    assert "daily limit" not in found
    assert found["access"]["level"] == "ok"
    assert re.search(r"tokens, \$0\.00\d\d$", found["cost"]["detail"])


@pytest.mark.costs("doctor tries every part, in a process of its own")
@pytest.mark.parametrize(
    ("server", "dialect"),
    [
        ("cohere/v2", "Cohere"),
        ("llamacpp-rerank/v1", "llama.cpp"),
        ("tei", "TEI"),
        ("voyage/v1", "Voyage"),
        ("infinity", "Infinity"),
    ],
)
def test_doctor_tries_the_reranker(
    settings: Callable[..., None], sandbox: RunningSandbox, server: str, dialect: str
) -> None:
    """It says how the server speaks, and how long it takes for a whole search."""
    address = f"{sandbox.url}/servers/{server}"
    settings(RERANK_MODEL="r", RERANK_BASE_URL=address, RERANK_API_KEY="k", RERANK_TIMEOUT_S="60")
    found = {finding["name"]: finding for finding in examine(expect=0)}["reranker"]
    assert found["level"] == "ok"
    assert re.fullmatch(rf"ranks 50 passages like {dialect}; \d+\.\d s", found["detail"])


@pytest.mark.costs("doctor tries every part, in a process of its own")
@pytest.mark.parametrize(
    ("fault", "told", "hint"),
    [
        ({"kind": "401"}, "is not accepted", "Check RERANK_API_KEY"),
        ({"kind": "scripted", "text": "{}"}, "not put the one that answers", "RERANK_MODEL"),
        ({"kind": "timeout", "delay_s": 0.6}, "too late", "RERANK_TIMEOUT_S, now 0.4"),
    ],
)
def test_doctor_warns_of_a_reranker_that_is_of_no_use(
    settings: Callable[..., None],
    sandbox: RunningSandbox,
    fault: dict[str, object],
    told: str,
    hint: str,
) -> None:
    """The bot answers without it, so nothing fails."""
    address = f"{sandbox.url}/servers/cohere/v2"
    settings(RERANK_MODEL="r", RERANK_BASE_URL=address, RERANK_API_KEY="k")
    planned = {"upstream": "openai", "method": "rerank", **fault}
    httpx.post(f"{sandbox.url}/sim/faults", json=planned).raise_for_status()
    found = {finding["name"]: finding for finding in examine(expect=0)}["reranker"]
    assert found["level"] == "warn"
    assert told in found["detail"]
    assert hint in found["hint"]


@pytest.mark.usefixtures("sandbox")
def test_doctor_tells_how_each_model_is_asked(
    settings: Callable[..., None], sandbox: RunningSandbox
) -> None:
    """The way of structured output, and the parameters that are of no use."""
    server = f"{sandbox.url}/servers/vllm/v1"
    given = '{"no_such_parameter": 1, "temperature": 0.2}'
    settings(OPENAI_BASE_URL=f"{sandbox.url}/servers/mistral/v1", CHAT_PARAMETERS=given)
    settings(PLANNER_BASE_URL=server, PLANNER_API_KEY="any", VISION_MODEL="sandbox-chat")
    findings = [one for one in examine(expect=0) if one["name"] == "model sandbox-chat"]
    chat, planner = findings
    assert chat["level"] == "warn"
    assert "json_schema (1 of 4)" in chat["detail"]
    assert "no_such_parameter" in chat["detail"]
    assert chat["hint"].startswith("Take no_such_parameter out of CHAT_PARAMETERS")
    assert "temperature" not in chat["hint"]
    assert planner["level"] == "ok"
    assert "json_mode (3 of 4)" in planner["detail"]


@pytest.mark.costs("doctor tries every part, in a process of its own")
@pytest.mark.parametrize(
    ("server", "told"),
    [
        ("dashscope", "enable_thinking=false where it does not stream"),
        ("whole", "the server ignores `stream` and sends answers whole"),
        ("unmarked", "its streams have no mark of their end"),
        ("llama-cpp-python", "structured output by json_mode"),
    ],
)
def test_doctor_tells_the_habits_of_a_server(
    settings: Callable[..., None], sandbox: RunningSandbox, server: str, told: str
) -> None:
    """The habits learned while it was tried; the trial that learns one does not fail."""
    settings(OPENAI_BASE_URL=f"{sandbox.url}/servers/{server}/v1", VISION_MODEL="sandbox-chat")
    settings(EMBEDDING_MODEL="none")
    (model,) = [one for one in examine(expect=0) if one["name"] == "model sandbox-chat"]
    assert told in model["detail"]
    wish = 'PLANNER_PARAMETERS={"enable_thinking": false}'
    assert (wish in model["hint"]) == (server == "dashscope")


def test_doctor_says_that_a_model_does_not_follow_instructions(
    settings: Callable[..., None], sandbox: RunningSandbox
) -> None:
    """After some words of one that finds no end; its other roles are not tried for minutes."""
    settings(OPENAI_BASE_URL=f"{sandbox.url}/servers/llama-cpp-python/v1")
    settings(VISION_MODEL="", EMBEDDING_MODEL="none")
    httpx.delete(f"{sandbox.url}/sim")
    fault = {"upstream": "openai", "kind": "babble", "times": 100}
    httpx.post(f"{sandbox.url}/sim/faults", json=fault | {"method": "chat.completions"})
    try:
        (finding,) = wrong(examine(expect=1))
        calls = httpx.get(f"{sandbox.url}/sim/calls", params={"upstream": "openai"}).json()
    finally:
        httpx.delete(f"{sandbox.url}/sim")
    assert finding["name"] == "chat model, planner, vision model"
    assert finding["detail"].startswith("this model does not follow instructions")
    asked = [one["body"] for one in calls["calls"] if one["method"] == "chat.completions"]
    assert 1 <= len(asked) <= 5
    assert all(body["max_tokens"] <= 200 for body in asked)


@pytest.mark.parametrize("ending", ["length", "stop"])
def test_doctor_knows_nonsense_within_half_a_minute(
    settings: Callable[..., None], ending: str
) -> None:
    """Of 40 letters a second, each a token; also where only plans have no end."""
    asked: list[Any] = []
    letters = random.Random(1)  # noqa: S311 - keeps no secret

    async def write(request: Request) -> Response:
        asked.append(body := await request.json())
        if not body.get("stream"):
            await asyncio.sleep(body["max_tokens"] / 40)
        some = 90 if ending == "stop" else body["max_tokens"]
        deltas = [*({"content": letters.choice("qxvz ")} for _ in range(some)), {}]
        chunks = [
            {
                "id": "1",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": "m",
                "choices": [
                    {"index": 0, "delta": delta, "finish_reason": None if delta else ending}
                ],
            }
            for delta in deltas
        ]
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
        return PlainTextResponse("".join([*lines, "data: [DONE]\n\n"]))

    def missing(_: Request) -> Response:
        return PlainTextResponse("", 404)

    routes = [
        Route("/v1/chat/completions", write, methods=["POST"]),
        Route("/{path:path}", missing),
    ]
    with served(Starlette(routes=routes)) as url:
        settings(OPENAI_BASE_URL=f"{url}/v1", VISION_MODEL="", EMBEDDING_MODEL="none")
        began = time.monotonic()
        (finding, *_) = wrong(examine(expect=1))
    assert finding["detail"].startswith("this model does not follow instructions")
    assert ending == "stop" or finding["name"] == "chat model, planner, vision model"
    assert ending == "stop" or len(asked) == 1
    assert time.monotonic() - began < 30


def test_doctor_blames_no_image_for_a_refusal_of_something_else(
    settings: Callable[..., None],
) -> None:
    """The operator is told to set what it names, for each role in its own setting."""
    told = "parameter.enable_thinking must be set to false, and this cannot be changed here"

    async def answer(request: Request) -> Response:
        if request.url.path.endswith("/models"):
            return PlainTextResponse("", 404)
        return JSONResponse({"error": {"message": told, "param": None, "code": None}}, 400)

    with served(Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])) as url:
        settings(OPENAI_BASE_URL=f"{url}/v1", VISION_MODEL="", EMBEDDING_MODEL="none")
        hints = {finding["name"]: finding["hint"] for finding in examine(expect=1)}
    assert hints["planner"] == 'Set PLANNER_PARAMETERS={"enable_thinking": false}.'
    assert hints["vision model"] == 'Set VISION_PARAMETERS={"enable_thinking": false}.'


def test_doctor_names_the_key_of_a_role(settings: Callable[..., None]) -> None:
    """The key that a server refuses is that of the role."""

    def refuse(_: Request) -> Response:
        return JSONResponse({"error": {"message": "no", "code": "invalid_api_key"}}, 401)

    with served(Starlette(routes=[Route("/{path:path}", refuse, methods=["GET", "POST"])])) as url:
        settings(PLANNER_BASE_URL=f"{url}/v1", PLANNER_API_KEY="wrong")
        told = wrong(examine(expect=1))
    assert all("PLANNER_API_KEY" in finding["hint"] for finding in told)
    assert told


@pytest.mark.usefixtures("settings")
def test_doctor_tells_a_wrong_key_once(sandbox: RunningSandbox) -> None:
    """Four models, one cause, one line."""
    httpx.post(
        f"{sandbox.url}/sim/faults", json={"upstream": "openai", "kind": "401", "times": 100}
    )
    try:
        (finding,) = wrong(examine(expect=1))
    finally:
        httpx.delete(f"{sandbox.url}/sim")
    assert finding["name"] == "model server"
    assert "OPENAI_API_KEY" in finding["hint"]


def test_doctor_names_the_setting_that_names_the_model(settings: Callable[..., None]) -> None:
    """Nobody set PLANNER_MODEL, and nobody is told to change it."""
    settings(CHAT_MODEL="no-such-model")
    findings = examine(expect=1)
    (finding,) = wrong(findings)
    assert finding["detail"].startswith("CHAT_MODEL")
    assert "PLANNER_MODEL" not in json.dumps(findings)


def test_doctor_groups_what_a_server_refuses_for_one_reason(
    settings: Callable[..., None],
) -> None:
    """This one lists no models, and knows none."""
    body = {"error": {"message": "The model does not exist.", "code": "model_not_found"}}

    def refuse(_: Request) -> Response:
        return JSONResponse(body, 404)

    with served(Starlette(routes=[Route("/{path:path}", refuse, methods=["GET", "POST"])])) as url:
        settings(OPENAI_BASE_URL=f"{url}/v1", VISION_MODEL="", EMBEDDING_MODEL="none")
        (finding,) = wrong(examine(expect=1))
    assert finding["name"] == "chat model, planner, vision model"
    assert finding["hint"].startswith("Check CHAT_MODEL")


@pytest.mark.costs("doctor tries every part, in a process of its own")
@pytest.mark.parametrize("page", ["404", "html"])
def test_doctor_recognises_an_address_without_its_version(
    settings: Callable[..., None], page: str
) -> None:
    """As `http://localhost:11434`, where models are below `/v1`."""

    def answer(request: Request) -> Response:
        if request.url.path == "/v1/models":
            return JSONResponse({"object": "list", "data": [{"id": "small", "object": "model"}]})
        if page == "html":
            return HTMLResponse("<html>Welcome</html>")
        return PlainTextResponse("404 page not found", 404)

    with served(Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])) as url:
        settings(OPENAI_BASE_URL=url)
        (finding,) = wrong(examine(expect=1))
        assert finding["hint"] == f"Write OPENAI_BASE_URL={url}/v1."
        settings(OPENAI_BASE_URL=f"{url}/v1/chat/completions")
        (finding,) = wrong(examine(expect=1))
        assert finding["hint"] == f"Write OPENAI_BASE_URL={url}/v1."


@pytest.mark.parametrize(
    ("ending", "told"), [("stop", "is empty"), ("length", "up its tokens before its first word")]
)
def test_doctor_does_not_take_an_empty_answer_for_one(
    settings: Callable[..., None], ending: str, told: str
) -> None:
    """A model that thinks until its tokens are used up, or is filtered, says nothing."""

    def answer(_: Request) -> Response:
        chunk = {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 1,
            "model": "m",
            "choices": [{"index": 0, "delta": {"content": ""}, "finish_reason": ending}],
        }
        return PlainTextResponse(
            f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n", media_type="text/event-stream"
        )

    def missing(_: Request) -> Response:
        return PlainTextResponse("", 404)

    routes = [
        Route("/v1/chat/completions", answer, methods=["POST"]),
        Route("/{path:path}", missing),
    ]
    with served(Starlette(routes=routes)) as url:
        settings(OPENAI_BASE_URL=f"{url}/v1", EMBEDDING_MODEL="none")
        found = {finding["name"]: finding for finding in wrong(examine(expect=1))}
    assert told in found["chat model"]["detail"]


def test_doctor_lists_all_settings_that_are_wrong(
    settings: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else is tried: it would be tried with the wrong settings."""
    monkeypatch.setenv("ALOWED_USERS", "1")
    settings(PORT="eighty", LOG_LEVEL="loud")
    findings = examine(expect=1)
    assert [one["detail"].partition(":")[0] for one in findings] == [
        "PORT",
        "ALOWED_USERS",
        "LOG_LEVEL",
    ]
    assert "ALLOWED_USERS" in findings[1]["hint"]


def test_doctor_creates_nothing_while_settings_are_missing(
    settings: Callable[..., None], tmp_path: Path
) -> None:
    """It leaves no folder where one stands, and says when the database comes."""
    settings(TELEGRAM_BOT_TOKEN="", OPENAI_API_KEY="", DATABASE_URL="")
    found = {finding["name"]: finding for finding in examine(expect=1)}
    assert "will be created at the first start" in found["database"]["detail"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.costs("doctor tries every part, in a process of its own")
def test_doctor_tries_everything_before_there_is_a_database(
    settings: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It leaves nothing anywhere; the code of the operator is yet to come."""
    here, temporary = tmp_path / "here", tmp_path / "temporary"
    here.mkdir()
    temporary.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    settings(DATABASE_URL="", DATA_DIR=str(here / "data"))
    found = {finding["name"]: finding for finding in examine(expect=0)}
    place = here / "data"
    assert (
        found["database"]["detail"] == f"embedded, in {place}; will be created at the first start"
    )
    assert "photo" in found["vision model"]["detail"]
    assert "send it the code that it prints in Telegram" in found["access"]["hint"]
    assert list(here.iterdir()) == list(temporary.iterdir()) == []


def test_doctor_fails_where_the_data_cannot_be_kept(
    settings: Callable[..., None], tmp_path: Path
) -> None:
    """A folder below a file is refused as `run` refuses it, and nothing stays in the others."""
    (tmp_path / "file").touch()
    for place, is_right in ((tmp_path / "file" / "data", False), (tmp_path / "new" / "data", True)):
        settings(DATABASE_URL="", RAG_DATABASE_URL="", DATA_DIR=str(place), OPENAI_API_KEY="")
        result = CliRunner().invoke(app, ["doctor", "--json"])
        (database,) = [one for one in json.loads(result.output) if one["name"] == "database"]
        assert (database["level"] == "ok") is is_right
        assert ("DATA_DIR" in database["detail"]) is not is_right
    assert not (tmp_path / "new").exists()


def test_run_says_that_there_is_no_limit(settings: Callable[..., None]) -> None:
    """Before the first message, and not when it is meant."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings(PORT=str(taken.getsockname()[1]), LOG_FORMAT="json")
        told = start_in_vain()
        assert "there is no daily limit" in told
        settings(ALLOWED_USERS="*", DAILY_TOKENS="0")
        assert "no daily limit" not in start_in_vain()


@pytest.mark.costs("doctor tries every part, in a process of its own")
@pytest.mark.skipif(sys.platform != "linux", reason="other systems have nothing of it")
def test_process_that_serves_keeps_its_memory_private(settings: Callable[..., None]) -> None:
    """From before it finds its port taken; and it logs what confines its readers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        settings(PORT=str(taken.getsockname()[1]), LOG_FORMAT="json")
        code = (
            "import atexit, ctypes; dumpable = lambda: ctypes.CDLL(None).prctl(3, 0, 0, 0, 0);"
            "atexit.register(lambda: print('dumpable:', dumpable()));"
            "from rich_agent.cli import main; main()"
        )
        run = [sys.executable, "-c", code, "run"]
        done = subprocess.run(run, capture_output=True, text=True, check=False, timeout=90)
    assert "is taken" in done.stderr
    assert "dumpable: 0" in done.stdout
    assert "readers_confined" in done.stdout + done.stderr


@pytest.mark.costs("doctor tries every part, in a process of its own")
def test_webhook_of_another_program_is_taken_over_only_when_told(
    settings: Callable[..., None], sandbox: RunningSandbox
) -> None:
    """Doctor and `run` name its address, and it goes on receiving."""
    api = f"{sandbox.url}/bot{sandbox.bot_token}"
    elsewhere = "http://127.0.0.1:9/production/telegram/webhook"
    httpx.post(f"{api}/setWebhook", json={"url": elsewhere}).raise_for_status()
    settings(PORT="0", LOG_FORMAT="json")
    try:
        result = CliRunner().invoke(app, ["doctor", "--json"])
        (telegram,) = [one for one in json.loads(result.output) if one["name"] == "telegram"]
        assert (telegram["level"], result.exit_code) == ("FAIL", 1)
        done = run_to_end(["rich_agent.cli", "run"], os.environ, Path.cwd(), deadline_s=90)
        assert done.returncode == 1
        for told in (telegram["detail"] + telegram["hint"], done.stderr):
            assert elsewhere in told
            assert "--take-over" in told
        assert httpx.get(f"{api}/getWebhookInfo").json()["result"]["url"] == elsewhere
    finally:
        httpx.post(f"{api}/deleteWebhook").raise_for_status()


def test_proxy_in_the_file_leads_to_telegram(settings: Callable[..., None]) -> None:
    """A blocked Telegram is asked through the proxy that stands in `.env`."""
    asked: list[bytes] = []

    class Proxy(StreamRequestHandler):
        @override
        def handle(self) -> None:
            asked.append(self.rfile.readline())

    with ThreadingTCPServer(("127.0.0.1", 0), Proxy) as proxy:
        threading.Thread(target=proxy.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{proxy.server_address[1]}"
        Path(".env").write_text(f"HTTPS_PROXY={address}\nNO_PROXY=127.0.0.1\n", "utf-8")
        settings(TELEGRAM_API_BASE_URL="https://telegram.invalid", DATABASE_URL="", PORT="0")
        settings(OPENAI_API_KEY="", DATA_DIR=str(Path.cwd() / "data"))
        environment = {
            name: value for name, value in os.environ.items() if "proxy" not in name.lower()
        }
        run_to_end(["rich_agent.cli", "doctor"], environment, Path.cwd(), deadline_s=90)
        proxy.shutdown()
    assert asked[0] == b"CONNECT telegram.invalid:443 HTTP/1.1\r\n"


@pytest.mark.costs("a process that waits for Telegram")
def test_telegram_out_of_reach_is_told_once(settings: Callable[..., None]) -> None:
    """One line with the host and what to do, while several parts try again and again."""
    settings(TELEGRAM_API_BASE_URL="http://localhost:1", PORT="0", LOG_FORMAT="json")
    result = CliRunner().invoke(app, ["doctor", "--json"])
    (telegram,) = [one for one in json.loads(result.output) if one["name"] == "telegram"]
    assert "localhost:1 cannot be reached" in telegram["detail"]
    assert "HTTPS_PROXY" in telegram["hint"]
    command = [sys.executable, "-m", "rich_agent.cli", "run"]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout
    assert "Telegram is out of reach" in running.stdout.readline()
    time.sleep(12)  # two more tries of each part
    running.terminate()
    _, log = running.communicate(timeout=30)
    told = [json.loads(line) for line in log.splitlines() if "telegram" in line]
    assert [line["event"] for line in told] == ["out_of_reach"]
    assert "HTTPS_PROXY" in told[0]["do"]


def start_in_vain() -> str:
    """The output of `rich-agent run` until it finds its port taken."""
    done = run_to_end(["rich_agent.cli", "run"], os.environ, Path.cwd(), deadline_s=90)
    assert "is taken" in done.stderr
    return done.stdout + done.stderr


@pytest.mark.costs("doctor tries every part, in a process of its own")
def test_sandbox_settings_of_the_guide_are_complete(
    settings: Callable[..., None], sandbox: RunningSandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bot in a debugger, with what `docs/how-to/develop.md` says to write."""
    guide = (Path(__file__).parents[2] / "docs/how-to/develop.md").read_text("utf-8")
    for name in ("CHAT_MODEL", "VISION_MODEL", "EMBEDDING_MODEL"):
        monkeypatch.delenv(name)
    found = re.search(r"```ini\n(TELEGRAM_BOT_TOKEN=.*?)```", guide, re.DOTALL)
    assert found
    given = found[1].replace("http://127.0.0.1:8080", sandbox.url)
    settings(**dict(line.split("=", 1) for line in given.splitlines()))
    assert wrong(examine(expect=0)) == []
