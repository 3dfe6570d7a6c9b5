"""The registered documents as an MCP server, met with the client of the SDK, and as pages."""

import json
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest
from mcp_types import CallToolResult

from tests.acceptance.program_tokens import store_token
from tests.acceptance.programs import Mode, called, connected, content_of
from tests.acceptance.world import Sandbox, World, command, environment, running_bot
from tests.database import PostgresServer
from tests.unit.documents.documents import Pdf, paragraph

READER, SPENDER = 42, 43
HOSTILE = """</mark></p><img src=x onerror="alert(1)"><script>alert(2)</script>"""
LANTERNS = """# Lanterns

## Care

Clean the zephyr lantern with vinegar. [Click](javascript:alert(2))

## Storage

Keep the zephyr lantern away from {{ 7 * 7 }} frost.

## Repair

Replace the wick of the zephyr lantern once a year.
"""


@pytest.fixture(scope="module")
def library(
    sandbox: Sandbox,
    database_server: PostgresServer,
    with_samples: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[World]:
    """A process that only receives, with web pages, a local file, and the bot's own documents."""
    file = tmp_path_factory.mktemp("files") / "lantern.md"
    file.write_text(LANTERNS, encoding="utf-8")
    with database_server.database(with_samples) as url:
        settings = environment(
            sandbox.url, url, WEBHOOK_SECRET="a-secret-of-the-tests", DAILY_TOKENS="5000"
        )
        command(["ingest.cli", "add-source", str(file), "--name", "lanterns"], settings)
        words = paragraph(["The kelvin gauge is read at noon."], 700)
        scan = "q 400 0 0 600 72 100 cm BI /W 1 /H 1 /CS /G /BPC 8 ID A EI Q"
        (file.parent / "gauge.pdf").write_bytes(Pdf([words, scan]).data())
        gauge = str(file.parent / "gauge.pdf")
        command(["ingest.cli", "add-source", gauge, "--name", "gauges"], settings)
        command(["ingest.cli", "sync"], settings)
        with running_bot(settings, "serve"):
            yield World(sandbox, settings, url)


@pytest.fixture(scope="module")
def token(library: World) -> str:
    """A token that reads."""
    return store_token(library, READER, "knowledge")


def get(address: str, token: str, **headers: str) -> httpx.Response:
    """The response that a browser gets that has the token."""
    given = {"Authorization": f"Bearer {token}", **headers}
    return httpx.get(address, headers=given, trust_env=False)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_mcp_client_finds_and_reads_a_web_page(
    library: World, token: str, mode: Mode
) -> None:
    """In both revisions of the protocol; the address opens the page at its section."""
    async with connected(library, token, mode) as client:
        tools = (await client.list_tools()).tools
        assert {one.name for one in tools} == {"search", "fetch"}
        assert all(one.annotations and one.annotations.read_only_hint for one in tools)
        found = await client.call_tool("search", {"query": "What is proof of history?"})
        assert isinstance(found, CallToolResult)
        best = content_of(found)["results"][0]
        assert best["url"].startswith(f"{library.sandbox.url}/library/solana/")
        read = await client.call_tool("fetch", {"id": best["id"]})
        assert isinstance(read, CallToolResult)
    document = content_of(read)
    assert set(document) == {"id", "title", "text", "url", "metadata"}
    assert (document["id"], document["title"]) == (best["id"], best["title"])
    assert document["url"] == best["url"]
    assert document["metadata"]["passage"] in document["text"]
    assert all(isinstance(value, str) for value in document["metadata"].values())


async def test_mcp_reads_on_from_a_passage_to_the_next(library: World, token: str) -> None:
    """The metadata name what stands before and after."""
    found = content_of(await called(library, token, "search", query="zephyr lantern vinegar"))
    read = content_of(await called(library, token, "fetch", id=found["results"][0]["id"]))
    metadata = read["metadata"]
    assert metadata["source"] == "lanterns"
    step = "next" if "next" in metadata else "previous"
    other = content_of(await called(library, token, "fetch", id=metadata[step]))
    back = {"next": "previous", "previous": "next"}[step]
    assert other["metadata"][back] == read["id"]


async def test_mcp_tells_what_of_a_document_was_not_read(library: World, token: str) -> None:
    """The metadata count it; of a document that was read whole they say nothing."""
    found = content_of(await called(library, token, "search", query="kelvin gauge at noon"))
    read = content_of(await called(library, token, "fetch", id=found["results"][0]["id"]))
    assert read["metadata"]["source"] == "gauges"
    assert read["metadata"]["not_read"] == "1 page without text"
    found = content_of(await called(library, token, "search", query="zephyr lantern vinegar"))
    read = content_of(await called(library, token, "fetch", id=found["results"][0]["id"]))
    assert "not_read" not in read["metadata"]


async def test_mcp_shows_neither_the_bots_own_documents_nor_what_users_told(
    library: World, token: str
) -> None:
    """Registered sources only: not by search, and not by an id that is known."""
    own = library.rows(
        "SELECT chunk.id FROM rag_chunks AS chunk JOIN rag_sources AS source "
        "ON source.id = chunk.source_id WHERE source.internal LIMIT 1"
    )[0]["id"]
    found = content_of(
        await called(library, token, "search", query="Which commands are there? /why")
    )
    ids = [one["id"] for one in found["results"]]
    internal = library.rows(
        "SELECT 1 FROM rag_chunks AS chunk JOIN rag_sources AS source "
        "ON source.id = chunk.source_id WHERE source.internal AND chunk.id = ANY(%s)",
        ids,
    )
    assert internal == []
    assert (await called(library, token, "fetch", id=own)).is_error


@pytest.mark.parametrize(
    "wanted",
    [
        "unknown",
        "",
        "x" * 100_000,
        "'; DROP TABLE rag_chunks; --",
        "../../etc/passwd",
        "a\x00b",
        "%00",
        7,
        None,
        ["a"],
        {"$ne": ""},
    ],
    ids=range(11),
)
def test_mcp_tells_of_an_id_that_is_none(library: World, token: str, wanted: object) -> None:
    """An error that the model can read, whatever the id."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "fetch", "arguments": {"id": wanted}},
    }
    answer = httpx.post(
        f"{library.environment['PUBLIC_URL']}/mcp",
        content=json.dumps(body),
        headers={
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        },
        trust_env=False,
    )
    assert answer.status_code == 200, answer.text
    result = answer.json()["result"]
    assert result["isError"]
    assert "no passage" in result["content"][0]["text"]


async def test_mcp_searches_for_any_words(library: World, token: str) -> None:
    """Very long, in any script, of signs alone; empty ones are told of."""
    for query in ("zephyr lantern " * 5_000, "提灯の手入れ", "?!… %_\\ ' \"", "\x00\x1b[31m"):
        content_of(await called(library, token, "search", query=query))
    assert (await called(library, token, "search", query="  ")).is_error
    assert (await called(library, token, "search")).is_error
    assert (await called(library, token, "delete", query="a")).is_error


async def test_mcp_search_is_charged_to_its_user_up_to_the_daily_limit(library: World) -> None:
    """The embedding counts like any other; what is over the limit is not made."""
    token = store_token(library, SPENDER)
    content_of(await called(library, token, "search", query="How is a zephyr lantern cleaned?"))
    used = "SELECT kind, calls, input_tokens FROM usage_days WHERE user_id = %s"
    (row,) = library.rows(used, SPENDER)
    assert (row["kind"], row["calls"]) == ("embedding", 1)
    assert row["input_tokens"] > 0
    library.rows(
        "UPDATE usage_days SET input_tokens = 5000 WHERE user_id = %s RETURNING 1", SPENDER
    )
    before = library.sandbox.mark()
    refused = await called(library, token, "search", query="zephyr")
    assert refused.is_error
    assert "5,000 tokens a day" in str(refused.content)
    assert library.sandbox.calls("openai", before) == []
    assert library.rows("SELECT 1 FROM usage_reservations WHERE user_id = %s", SPENDER) == []


async def test_mcp_searches_by_words_while_the_model_is_away(library: World, token: str) -> None:
    """The vector is left out."""
    library.sandbox.fail("openai", "500", method="embeddings", times=20)
    found = content_of(await called(library, token, "search", query="zephyr lantern vinegar"))
    library.sandbox.recover()
    assert "zephyr" in json.dumps(
        content_of(await called(library, token, "fetch", id=found["results"][0]["id"]))
    )


def test_mcp_is_closed_without_the_scope_and_for_other_methods(library: World, token: str) -> None:
    """401, 403, 405 and 413, before anything is read of the message."""
    address = f"{library.environment['PUBLIC_URL']}/mcp"
    talks = store_token(library, READER, "chat")
    assert httpx.post(address, content=b"{}", trust_env=False).status_code == 401
    for given, body, status in ((talks, b"{}", 403), (token, b"x" * 1_000_001, 413)):
        headers = {"Authorization": f"Bearer {given}"}
        answer = httpx.post(address, content=body, headers=headers, trust_env=False)
        assert answer.status_code == status
    refused = get(address, token, Accept="text/event-stream")
    assert (refused.status_code, refused.headers["allow"]) == (405, "POST")


async def test_passage_of_a_local_file_has_a_page_that_only_shows_text(
    library: World, token: str
) -> None:
    """Its address opens it for its reader: marked, with its neighbours, without a script."""
    found = content_of(await called(library, token, "search", query="zephyr lantern vinegar"))
    (row,) = library.rows("SELECT id FROM rag_chunks WHERE content LIKE '%%vinegar%%'")
    (best,) = [one for one in found["results"] if one["id"] == row["id"]]
    address = best["url"]
    assert address == f"{library.environment['PUBLIC_URL']}/passages/{best['id']}"
    page = get(address, token)
    assert page.status_code == 200
    assert "<mark>Clean the zephyr lantern" in page.text
    assert "wick" in page.text
    assert "{{ 7 * 7 }}" in page.text
    policy = page.headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "frame-ancestors 'none'" in policy
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert 'href="javascript:' not in page.text
    assert "file:" not in page.text


def test_hostile_text_of_a_passage_is_text_on_its_page(library: World, token: str) -> None:
    """In the passage, its section and the title of its document, whatever got it there."""
    (row,) = library.rows("SELECT id, document_id FROM rag_chunks WHERE content LIKE '%%wick%%'")
    stored = library.rows(
        "UPDATE rag_chunks SET content = %s, section = %s WHERE id = %s RETURNING 1",
        *(f"wick {HOSTILE}", HOSTILE, row["id"]),
    )
    titled = library.rows(
        "UPDATE rag_documents SET title = %s WHERE id = %s RETURNING 1",
        *(HOSTILE, row["document_id"]),
    )
    assert stored
    assert titled
    page = get(f"{library.environment['PUBLIC_URL']}/passages/{row['id']}", token)
    assert page.status_code == 200
    for hostile in ("<script", "<img", "</mark></p><"):
        assert hostile not in page.text
    assert page.text.count("&lt;img src=x onerror=") >= 4


def test_passage_page_is_closed_to_others(library: World, token: str) -> None:
    """Without a token 401, whether there is a passage or not; unknown ones are 404 with one."""
    public = library.environment["PUBLIC_URL"]
    known = library.rows("SELECT id FROM rag_chunks LIMIT 1")[0]["id"]
    for passage in (known, "unknown"):
        assert httpx.get(f"{public}/passages/{passage}", trust_env=False).status_code == 401
    for passage in ("unknown", "x" * 3_000, "%00", "%ff", "..%2f..%2fetc", "<script>"):
        answer = get(f"{public}/passages/{passage}", token)
        assert answer.status_code == 404, passage
        assert answer.headers["content-type"] != "text/html; charset=utf-8"


def test_passage_page_speaks_the_language_of_the_browser(library: World, token: str) -> None:
    """One of those that the product speaks."""
    known = library.rows("SELECT id FROM rag_chunks LIMIT 1")[0]["id"]
    address = f"{library.environment['PUBLIC_URL']}/passages/{known}"
    assert urlsplit(address).path.endswith(known)
    page = get(address, token, **{"Accept-Language": "ja-JP,en;q=0.5"})
    assert '<html lang="ja" dir="ltr">' in page.text
    assert "番目" in page.text
