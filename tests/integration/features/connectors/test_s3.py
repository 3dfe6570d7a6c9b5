"""Buckets of a real server of the protocol: moto's, over HTTP, and one that is broken."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import boto3
import httpx
import pytest
from moto.server import ThreadedMotoServer
from pydantic import ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from rich_agent.documents.connectors.port import ConnectorError, Entry
from rich_agent.documents.fetch.outcomes import RawDocument, Unreadable
from rich_agent.features.connectors.s3 import bucket as s3
from rich_agent.features.connectors.s3.bucket import S3Config, S3Connector, open_s3
from tests.integration.features.connectors.follower import Follower, rights_of
from tests.integration.sandbox_openai.serving import served

BUCKET = "handbook"
ODD = (
    "a b.md",
    "50%.md",
    "%41.md",
    "c#.md",
    "why?.md",
    "🎉.md",
    "a+b.md",
    "x//y/.md.md",
)
ERROR = "<Error><Code>{code}</Code><Message>Something is wrong.</Message></Error>"

LISTED = """<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>false</IsTruncated>
<Contents><Key>two%0Alines.md</Key><ETag>"1"</ETag><Size>4</Size></Contents></ListBucketResult>"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of one server for all tests."""
    running = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def objects(server: str) -> Iterator[Any]:
    """A client of the one who fills the bucket, which is empty."""
    httpx.post(f"{server}/moto-api/reset", trust_env=False)
    client = boto3.client(
        "s3",
        endpoint_url=server,
        aws_access_key_id="writer",
        aws_secret_access_key="writer",
        region_name="us-east-1",
    )
    client.create_bucket(Bucket=BUCKET)
    yield client
    client.close()


@pytest.fixture
async def connector(server: str, objects: Any) -> AsyncIterator[S3Connector]:
    """A connector to the bucket."""
    assert objects
    found = opened(server)
    yield found
    await found.aclose()


def opened(url: str, **options: object) -> S3Connector:
    """A bucket of a server."""
    config = {"bucket": BUCKET, "access_key_id": "reader", "endpoint_url": url, **options}
    return open_s3(S3Config.model_validate(config), "secret", source="src")


def put(objects: Any, *keys: str) -> None:
    """Objects that hold their own keys."""
    for key in keys:
        objects.put_object(Bucket=BUCKET, Key=key, Body=key.encode())


def require_signatures(server: str, after: str) -> None:
    """Let moto check keys after so many requests; it knows none."""
    httpx.post(f"{server}/moto-api/reset-auth", content=after, trust_env=False)


async def test_objects_are_listed_and_read(objects: Any, connector: S3Connector) -> None:
    """Keys of no readable kind are left out, and marks of folders not even counted."""
    put(objects, "a.md", "b/c.txt", "b/photo.raw", "b/")
    follower = await Follower().sync(connector)
    assert await follower.texts(connector) == {"a.md": "a.md", "c.txt": "b/c.txt"}
    assert follower.entries["b/c.txt"].url == "s3://handbook/b/c.txt"
    assert follower.skipped[0].counts == {"raw": 1}
    assert {one.place for one in follower.entries.values()} == {""}
    assert await rights_of(connector) == {}
    assert await connector.check() == "reads s3://handbook/"


async def test_prefix_patterns_and_links_are_those_of_the_configuration(
    server: str, objects: Any
) -> None:
    """Patterns are about what follows the prefix."""
    put(objects, "docs/a b.md", "docs/old/b.md", "docs-old/c.md", "d.md")
    connector = opened(server, prefix="docs/", exclude=["old/**"], web="https://example.org/")
    follower = await Follower().sync(connector)
    await connector.aclose()
    assert [one.url for one in follower.entries.values()] == ["https://example.org/docs/a%20b.md"]


async def test_changed_and_deleted_objects_are_noticed(
    objects: Any, connector: S3Connector
) -> None:
    """A version is an ETag; a renamed object is another one, because S3 knows no names but keys."""
    put(objects, "a.md", "b.md", "c.md")
    follower = await Follower().sync(connector)
    before = dict(follower.entries)
    objects.put_object(Bucket=BUCKET, Key="a.md", Body=b"changed")
    objects.delete_object(Bucket=BUCKET, Key="b.md")
    await follower.sync(connector)
    assert set(follower.entries) == {"a.md", "c.md"}
    assert follower.entries["a.md"].version != before["a.md"].version
    assert follower.entries["c.md"] == before["c.md"]
    gone = await connector.read(before["b.md"], 1_000)
    assert isinstance(gone, Unreadable)
    assert gone.is_gone


async def test_odd_keys_are_read(objects: Any, connector: S3Connector) -> None:
    """Keys are any text."""
    put(objects, *ODD)
    follower = await Follower().sync(connector)
    documents = [await connector.read(one, 1_000) for one in follower.entries.values()]
    assert sorted(one.data.decode() for one in documents if isinstance(one, RawDocument)) == sorted(
        ODD
    )


async def test_keys_with_line_ends_are_read() -> None:
    """Which moto does not take."""
    asked: list[bytes] = []

    async def serve(request: Request) -> Response:
        asked.append(request.scope["raw_path"])
        return Response(LISTED if "list-type" in request.query_params else "text")

    with served(everywhere(serve)) as url:
        connector = opened(url)
        follower = await Follower().sync(connector)
        await connector.read(follower.entries["two\nlines.md"], 1_000)
        await connector.aclose()
    assert asked[-1] == b"/handbook/two%0Alines.md"


@pytest.mark.parametrize("dies_after", [1, 2, 3])
async def test_a_listing_that_is_killed_goes_on_behind_its_last_key(
    objects: Any, connector: S3Connector, monkeypatch: pytest.MonkeyPatch, dies_after: int
) -> None:
    """Odd keys too; what was deleted meanwhile is noticed by the next listing."""
    monkeypatch.setattr(s3, "_PORTION", 3)
    put(objects, *ODD, *(f"{number}.md" for number in range(10)))
    follower = await Follower().sync(connector, dies_after=dies_after)
    assert len(follower.entries) == 3 * dies_after
    await follower.sync(connector)
    assert len(follower.entries) == 10 + len(ODD)
    assert sum(follower.portions) == 10 + len(ODD) - 3 * dies_after
    objects.delete_object(Bucket=BUCKET, Key="0.md")
    await follower.sync(connector)
    assert len(follower.entries) == 9 + len(ODD)


async def test_packed_objects_are_unpacked(objects: Any, connector: S3Connector) -> None:
    """As a browser would; up to the limit."""
    for key, text in (("a.md", b"plain"), ("bomb.md", bytes(5_000_000))):
        body = gzip.compress(text)
        objects.put_object(Bucket=BUCKET, Key=key, Body=body, ContentEncoding="gzip")
    follower = await Follower().sync(connector)
    found = await connector.read(follower.entries["a.md"], 1_000)
    assert isinstance(found, RawDocument)
    assert found.data == b"plain"
    bomb = await connector.read(follower.entries["bomb.md"], 1_000_000)
    assert isinstance(bomb, Unreadable)
    assert "unpacks to more than" in bomb.reason


async def test_a_secret_that_is_not_valid_any_more_is_named(server: str, objects: Any) -> None:
    """For listing, reading and the check; with what to do."""
    put(objects, "a.md")
    connector = opened(server)
    follower = await Follower().sync(connector)
    require_signatures(server, after="0")
    try:
        for asked in (
            follower.sync(connector),
            connector.read(follower.entries["a.md"], 1_000),
            connector.check(),
        ):
            with pytest.raises(ConnectorError, match="InvalidAccessKeyId, HTTP 403") as refused:
                await asked
            assert refused.value.is_refused
            assert refused.value.hint.startswith("Make a new access key")
    finally:
        require_signatures(server, after="inf")
        await connector.aclose()


async def test_a_missing_bucket_is_named(server: str, objects: Any) -> None:
    """With what to check."""
    assert objects
    connector = opened(server, bucket="nowhere")
    with pytest.raises(ConnectorError, match="NoSuchBucket") as refused:
        await connector.check()
    assert refused.value.is_refused
    assert "name of the bucket" in refused.value.hint
    await connector.aclose()


def everywhere(serve: Callable[[Request], Awaitable[Response]]) -> Starlette:
    """An application with one answer; line ends match no pattern of a path."""

    async def answer(request: Request, _: Exception) -> Response:
        return await serve(request)

    return Starlette(exception_handlers={404: answer})


class _Broken:
    """A server that answers each request so; `sent_bytes` of a body without end."""

    def __init__(self, answer: Response | None = None) -> None:
        self.answer = answer
        self.asked = 0
        self.sent_bytes = 0

    async def serve(self, request: Request) -> Response:
        self.asked += 1
        assert request.headers["Authorization"].startswith("AWS4-HMAC-SHA256")
        return self.answer or StreamingResponse(
            self._zeros(), headers={"Content-Length": "2000000000", "ETag": '"1"'}
        )

    def _zeros(self) -> Iterator[bytes]:
        for _ in range(2_000_000_000 // 50_000):
            self.sent_bytes += 50_000
            yield bytes(50_000)


@pytest.mark.parametrize(
    ("status", "code", "after"),
    [(429, "TooManyRequests", 120.0), (500, "InternalError", None), (503, "SlowDown", 7.0)],
)
async def test_a_server_in_trouble_is_asked_three_times_and_then_left_alone(
    status: int, code: str, after: float | None
) -> None:
    """For as long as it asks."""
    headers = {"Retry-After": f"{after:g}"} if after else {}
    broken = _Broken(Response(ERROR.format(code=code), status, headers))
    with served(everywhere(broken.serve)) as url:
        connector = opened(url)
        with pytest.raises(ConnectorError, match=f"{code}, HTTP {status}") as away:
            await Follower().sync(connector)
        await connector.aclose()
    assert (away.value.after_s, away.value.is_refused) == (after, False)
    assert broken.asked == 3


@pytest.mark.parametrize(
    ("status", "code", "words"),
    [
        (403, "InvalidObjectState", "archived"),
        (403, "AccessDenied", "s3:GetObject"),
        (404, "NoSuchKey", "no such object"),
    ],
)
async def test_an_object_that_cannot_be_read_stops_no_other(
    status: int, code: str, words: str
) -> None:
    """It is named with its reason."""
    broken = _Broken(Response(ERROR.format(code=code), status))
    with served(everywhere(broken.serve)) as url:
        connector = opened(url)
        outcome = await connector.read(Entry("a.md", "s3://handbook/a.md", "1"), 1_000)
        await connector.aclose()
    assert isinstance(outcome, Unreadable)
    assert words in outcome.reason


async def test_an_object_of_two_gigabytes_is_refused_unread() -> None:
    """By the size that is announced."""
    broken = _Broken()
    with served(everywhere(broken.serve)) as url:
        connector = opened(url)
        outcome = await connector.read(Entry("a.txt", "s3://handbook/a.txt", "1"), 100_000_000)
        await connector.aclose()
    assert isinstance(outcome, Unreadable)
    assert "has 2000 MB, and at most 100 MB are read" in outcome.reason
    assert broken.sent_bytes < 20_000_000


async def test_a_server_that_is_away_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing listens there."""
    monkeypatch.setattr(s3, "_ATTEMPTS", 1)
    connector = opened("http://127.0.0.1:9")
    with pytest.raises(ConnectorError) as away:
        await asyncio.wait_for(connector.check(), 20)
    assert not away.value.is_refused
    await connector.aclose()


def test_addresses_with_logins_are_refused() -> None:
    """A secret belongs into no configuration."""
    for address in ("https://a:b@example.org", "ftp://example.org"):
        with pytest.raises(ValidationError):
            S3Config(bucket="b", access_key_id="a", endpoint_url=address)
