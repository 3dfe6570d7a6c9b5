"""Broken situations in real processes: doctor names each, and is never green where `run` ends."""

import datetime as dt
import ipaddress
import json
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import LiteralString

import psycopg
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from typing_extensions import override

from rich_agent.repositories.database.schema import APP
from tests.acceptance.world import TOKEN, environment, process
from tests.database import PostgresServer
from tests.forking import run_to_end
from tests.integration.sandbox_openai.serving import served
from tests.pooler import pooled
from tests.sandbox_server import RunningSandbox, start_sandbox
from tests.situations import SITUATIONS

_DEADLINE_S = 90
_UNREACHABLE = "https://telegram.invalid"
_SSL_REQUESTS = (80877103, 80877104)
"""Codes of SSLRequest and GSSENCRequest. Source: PostgreSQL, "Message Formats"."""
_ERRORS = {
    "quota": (429, {"message": "You exceeded your quota.", "code": "insufficient_quota"}),
    "key": (401, {"message": "Incorrect API key.", "code": "invalid_api_key"}),
}


@dataclass(frozen=True, slots=True)
class Bench:
    """The parts that broken situations are made of."""

    stack: ExitStack
    folder: Path
    server: PostgresServer
    template: str
    odd_models: str

    def database(self, *statements: LiteralString, template: str = "") -> str:
        """The address of a database of its own, changed by statements."""
        url = self.stack.enter_context(self.server.database(template or self.template))
        with psycopg.connect(url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)
        return url

    def listen(self, handle: Callable[[StreamRequestHandler], None]) -> int:
        """The port of a server that handles each connection like this."""
        return self.stack.enter_context(_listening(handle))

    def https(self, certificate: Path) -> str:
        """The address of a model server with this certificate."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)

        def shake_hands(one: StreamRequestHandler) -> None:
            context.wrap_socket(one.request, server_side=True).recv(1)

        return f"https://127.0.0.1:{self.listen(shake_hands)}/v1"


@contextmanager
def _listening(handle: Callable[[StreamRequestHandler], None]) -> Iterator[int]:
    class Handler(StreamRequestHandler):
        @override
        def handle(self) -> None:
            with suppress(OSError):
                handle(self)

    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield int(server.server_address[1])
        server.shutdown()


def _certificate(folder: Path, days: int) -> Path:
    """A self-signed certificate of 127.0.0.1 that is valid for so many days from now."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    end = dt.datetime.now(dt.UTC) + dt.timedelta(days=days)
    address = x509.IPAddress(ipaddress.ip_address("127.0.0.1"))
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(end - dt.timedelta(days=3))
        .not_valid_after(end)
        .add_extension(x509.SubjectAlternativeName([address]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, private = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    path = folder / f"valid-{days}.pem"
    path.write_bytes(key.private_bytes(pem, private, serialization.NoEncryption()))
    path.write_bytes(path.read_bytes() + certificate.public_bytes(pem))
    return path


def _want_password(one: StreamRequestHandler) -> None:
    one.rfile.readline()
    one.wfile.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")


def _refuse_password(one: StreamRequestHandler) -> None:
    """Answer as PostgreSQL does. Source: its "Message Flow"."""
    while head := one.rfile.read(4):
        body = one.rfile.read(int.from_bytes(head, "big") - 4)
        if int.from_bytes(body[:4], "big") in _SSL_REQUESTS:
            one.wfile.write(b"N")
            continue
        fields = b'SFATAL\0C28P01\0Mpassword authentication failed for user "bot"\0\0'
        one.wfile.write(b"E" + (len(fields) + 4).to_bytes(4, "big") + fields)
        return


def _odd_models() -> Starlette:
    def portal(_: Request) -> Response:
        return HTMLResponse("<html>Sign in to this network</html>")

    def refuse(request: Request) -> Response:
        status, error = _ERRORS[request.path_params["what"]]
        return JSONResponse({"error": error}, status)

    async def embed(request: Request) -> Response:
        texts = (await request.json())["input"]
        data = [{"index": number, "embedding": [0.1] * 12} for number, _ in enumerate(texts)]
        return JSONResponse({"data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}})

    def list_models(_: Request) -> Response:
        return JSONResponse({"data": [{"id": "sandbox-embedding", "object": "model"}]})

    methods = ["GET", "POST"]
    return Starlette(
        routes=[
            Route("/portal/{rest:path}", portal, methods=methods),
            Route("/short/v1/models", list_models),
            Route("/short/v1/embeddings", embed, methods=["POST"]),
            Route("/{what}/{rest:path}", refuse, methods=methods),
        ]
    )


def _foreign_data(bench: Bench) -> str:
    place = bench.folder / "foreign" / "postgres"
    place.mkdir(parents=True)
    (place / "PG_VERSION").write_text("15\n")
    return str(place.parent)


def _port_taken(bench: Bench) -> str:
    return str(bench.stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1])


Prepare = Callable[[Bench], Mapping[str, str]]
GROUPS: Mapping[tuple[str, ...], Prepare] = {
    ("token", "model server"): lambda _: {
        "TELEGRAM_BOT_TOKEN": "700000001:AAF-a-wrong-token-for-the-tests-00",
        "OPENAI_BASE_URL": "http://127.0.0.1:1/v1",
    },
    ("dead proxy", "expired"): lambda bench: {
        "TELEGRAM_API_BASE_URL": _UNREACHABLE,
        "HTTPS_PROXY": "http://name:secret@127.0.0.1:1",
        "NO_PROXY": "127.0.0.1",
        "SSL_CERT_FILE": str(expired := _certificate(bench.folder, -1)),
        "OPENAI_BASE_URL": bench.https(expired),
    },
    ("proxy password", "self-signed"): lambda bench: {
        "TELEGRAM_API_BASE_URL": _UNREACHABLE,
        "HTTPS_PROXY": f"http://127.0.0.1:{bench.listen(_want_password)}",
        "NO_PROXY": "127.0.0.1",
        "OPENAI_BASE_URL": bench.https(_certificate(bench.folder, 2)),
    },
    ("telegram", "portal"): lambda bench: {
        "TELEGRAM_API_BASE_URL": "http://localhost:1",
        "OPENAI_BASE_URL": f"{bench.odd_models}/portal/v1",
    },
    ("telegram", "quota"): lambda bench: {
        "TELEGRAM_API_BASE_URL": "http://localhost:1",
        "OPENAI_BASE_URL": f"{bench.odd_models}/quota/v1",
    },
    ("key",): lambda bench: {"OPENAI_BASE_URL": f"{bench.odd_models}/key/v1"},
    ("model",): lambda _: {"CHAT_MODEL": "no-such-model"},
    ("embedding size",): lambda bench: {
        "EMBEDDING_BASE_URL": f"{bench.odd_models}/short/v1",
        "EMBEDDING_API_KEY": "any",
    },
    ("password", "port"): lambda bench: {
        "DATABASE_URL": f"postgresql://bot:no@127.0.0.1:{bench.listen(_refuse_password)}/bot",
        "PORT": _port_taken(bench),
    },
    ("no server",): lambda _: {"DATABASE_URL": "postgresql://bot:no@127.0.0.1:1/bot"},
    ("pooler",): lambda bench: {
        "DATABASE_URL": bench.stack.enter_context(
            pooled(bench.database(), "transaction", bench.folder)
        )
    },
    ("no tables",): lambda bench: {"DATABASE_URL": bench.database(template="template1")},
    ("older",): lambda bench: {"DATABASE_URL": _older(bench)},
    ("newer",): lambda bench: {
        "DATABASE_URL": bench.database(
            "UPDATE alembic_version_app SET version_num = '9999'",
            "COMMENT ON TABLE alembic_version_app IS '9998'",
        )
    },
    ("no rights",): lambda bench: {"DATABASE_URL": _without_rights(bench)},
    ("place", "port"): lambda bench: {
        "DATABASE_URL": "",
        "DATA_DIR": "/proc/nope",
        "PORT": _port_taken(bench),
    },
    ("major version",): lambda bench: {"DATABASE_URL": "", "DATA_DIR": _foreign_data(bench)},
    ("webhook", "misspelt", "file"): lambda bench: {
        "TELEGRAM_API_BASE_URL": "https://api.telegram.org",
        "WEBHOOK_URL": "http://bot.example.com",
        "WEBHOOK_SECRET": "a-secret-of-the-tests",
        "CHAT_MODL": "sandbox-chat",
        "OPENAI_API_KEY": "",
        "OPENAI_API_KEY_FILE": str(bench.folder / "missing"),
    },
}


def _older(bench: Bench) -> str:
    url = bench.database()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "UPDATE alembic_version_app SET version_num = %s", (APP.revisions()[-2],)
        )
    return url


def _without_rights(bench: Bench) -> str:
    url = bench.database()
    with psycopg.connect(url, autocommit=True) as connection:
        found = connection.execute("SELECT FROM pg_roles WHERE rolname = 'without_rights'")
        if found.rowcount == 0:
            with suppress(psycopg.errors.UniqueViolation, psycopg.errors.DuplicateObject):
                connection.execute("CREATE ROLE without_rights LOGIN")
    return url.replace("postgres@", "without_rights@")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[RunningSandbox]:
    """The stand-ins."""
    with start_sandbox(bot_token=TOKEN) as running:
        yield running


@pytest.fixture
def bench(
    tmp_path: Path, database_server: PostgresServer, database_template: str
) -> Iterator[Bench]:
    """Nothing is broken yet."""
    with ExitStack() as stack:
        odd_models = stack.enter_context(served(_odd_models()))
        yield Bench(stack, tmp_path, database_server, database_template, odd_models)


@pytest.mark.costs("it starts doctor and the bot")
@pytest.mark.parametrize("names", GROUPS, ids="+".join)
def test_doctor_names_what_is_wrong_and_run_ends_accordingly(
    names: tuple[str, ...], bench: Bench, sandbox: RunningSandbox, database_url: str
) -> None:
    """Its exit code is 1; where `run` ends, it says the same, and else it becomes ready."""
    healthy = environment(sandbox.url, database_url, TAVILY_API_KEY="", DAILY_TOKENS="0", PORT="0")
    proxies = {name for name in healthy if name.lower().endswith("_proxy")}
    own = {name: value for name, value in healthy.items() if name not in proxies}
    settings = {**own, **GROUPS[names](bench)}
    done = run_to_end(
        ["rich_agent.cli", "doctor", "--json"], settings, bench.folder, deadline_s=_DEADLINE_S
    )
    assert done.returncode == 1, done.stdout + done.stderr
    findings = json.loads(done.stdout)
    situations = [SITUATIONS[name] for name in names]
    for situation in situations:
        assert any(map(situation.fits, findings)), f"{situation}\n{json.dumps(findings, indent=1)}"
    if not any(situation.ends_run for situation in situations):
        with process(["rich_agent.cli", "run"], settings, "rich-agent is ready"):
            return
    ended = run_to_end(["rich_agent.cli", "run"], settings, bench.folder, deadline_s=_DEADLINE_S)
    assert ended.returncode == 1, ended.stderr
    assert "→" in ended.stderr


def test_every_situation_is_tried() -> None:
    """And nothing else is."""
    assert {name for names in GROUPS for name in names} == SITUATIONS.keys()
