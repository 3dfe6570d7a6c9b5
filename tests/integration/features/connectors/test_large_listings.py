"""Listings of 100,000 entries; those of Confluence and Google Drive are in their own modules."""

import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from rich_agent.documents.connectors.port import Connector
from rich_agent.domain.intranet import Intranet
from rich_agent.features.connectors.git.repository import GitConfig, GitConnector
from rich_agent.features.connectors.s3.bucket import S3Config, open_s3
from rich_agent.features.connectors.webdav.files import WebdavConfig, open_webdav
from tests.integration.features.connectors.listing import growth_while_listing
from tests.integration.git_server import serve_git
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.nextcloud.api import nextcloud_app
from tests.stand_ins.nextcloud.cloud import NextcloudSandbox

ENTRIES, MB = 100_000, 1_000_000
CONTENTS = '<Contents><Key>{key:06}.md</Key><ETag>"1"</ETag><Size>4</Size></Contents>'


@contextmanager
def git_of_many(folder: Path) -> Iterator[Connector]:
    """A repository with a thousand files in each folder."""
    with serve_git(folder) as server:
        bare = folder / "many.git"
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(bare)], check=True)
        files = (f"M 100644 :1 {n // 1_000}/{n}.md\n" for n in range(ENTRIES))
        head = "blob\nmark :1\ndata 2\na\n\ncommit refs/heads/main\ncommitter A <a@b> 0 +0000\n"
        stream = f"{head}data 1\nm\n{''.join(files)}"
        subprocess.run(
            ["git", "fast-import", "--quiet"], cwd=bare, input=stream.encode(), check=True
        )
        yield GitConnector(
            GitConfig.model_validate({"address": f"{server.url}/many.git"}), "", folder / "clone"
        )


@contextmanager
def webdav_of_many(_folder: Path) -> Iterator[Connector]:
    """A cloud with a thousand files in each folder."""
    cloud = NextcloudSandbox()
    cloud.add_user("anna", "secret")
    for number in range(ENTRIES):
        cloud.put(f"anna/{number // 1_000}/{number}.md")
    with served(nextcloud_app(cloud)) as url:
        config = WebdavConfig(address=f"{url}/remote.php/dav/files/anna/", user="anna")
        here = Intranet.parse(["127.0.0.1"])
        yield open_webdav(config, "secret", source="src", intranet=here)


@contextmanager
def s3_of_many(_folder: Path) -> Iterator[Connector]:
    """A bucket that lists a thousand keys at once."""

    async def answer(request: Request) -> Response:
        first = int(request.query_params.get("start-after", "-1.md").removesuffix(".md")) + 1
        last = min(first + 1_000, ENTRIES)
        found = "".join(CONTENTS.format(key=key) for key in range(first, last))
        more = str(last < ENTRIES).lower()
        page = f"<ListBucketResult><IsTruncated>{more}</IsTruncated>{found}</ListBucketResult>"
        return Response(page, media_type="application/xml")

    with served(Starlette(routes=[Route("/{path:path}", answer)])) as url:
        config = {"bucket": "b", "access_key_id": "reader", "endpoint_url": url}
        yield open_s3(S3Config.model_validate(config), "secret", source="src")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("service", "most_mb"), [(git_of_many, 80), (webdav_of_many, 40), (s3_of_many, 40)]
)
async def test_listing_of_100_000_files_stays_small(
    service: Callable[[Path], AbstractContextManager[Connector]], most_mb: int, tmp_path: Path
) -> None:
    """Everything is named; the process, with the server in it, grows by so many MB at most."""
    with service(tmp_path) as connector:
        count, grown = await growth_while_listing(connector)
        await connector.aclose()
    assert count == ENTRIES
    assert grown < most_mb * MB, f"{grown / MB:.1f} MB"
