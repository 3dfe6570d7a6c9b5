"""Services that documents are read from, as their stand-ins: filled, and then changed in all ways.

Of those that know rights, Anna may read everything, and Bob what is open.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import boto3
from moto.server import ThreadedMotoServer
from starlette.applications import Starlette
from starlette.routing import Mount

from rich_agent_sandbox.ledger import Ledger
from tests.integration.git_server import serve_git
from tests.integration.sandbox_openai.serving import served
from tests.stand_ins.confluence.api import confluence_routes
from tests.stand_ins.confluence.site import ConfluenceSandbox
from tests.stand_ins.nextcloud.api import nextcloud_app
from tests.stand_ins.nextcloud.cloud import NextcloudSandbox

ANNA, BOB = "anna", "bob"
_BUCKET = "handbook"


@dataclass(frozen=True, slots=True)
class Service:
    """A running service: how it is connected, and what its people do; notes are told by number.

    `hide` takes away what Bob may read of a note, None if the service knows no rights.
    """

    connect: Sequence[str]
    secret: str
    write: Callable[[int, str], None]
    delete: Callable[[int], None]
    rename: Callable[[int], None]
    settle: Callable[[], None] = lambda: None
    hide: Callable[[int], None] | None = None


@contextmanager
def git_service(folder: Path) -> Iterator[Service]:
    """A repository; what was done is pushed when it settles."""
    folder.mkdir()
    with serve_git(folder) as server:
        work = server.make("handbook")
        work.push()
        yield Service(
            connect=("git", work.address),
            secret="token",  # noqa: S106 - of a stand-in
            write=lambda n, text: work.write(f"{n % 7}/{n}.md", text),
            delete=lambda n: work.git("rm", "-q", f"{n % 7}/{n}.md"),
            rename=lambda n: work.git("mv", f"{n % 7}/{n}.md", f"{n % 7}/renamed {n}.md"),
            settle=work.push,
        )


@contextmanager
def s3_service(_folder: Path) -> Iterator[Service]:
    """A bucket."""
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url, named = f"http://{host}:{port}", {"Bucket": _BUCKET}
    client: Any = boto3.client(
        "s3",
        endpoint_url=url,
        aws_access_key_id="writer",
        aws_secret_access_key="writer",  # noqa: S106 - of a stand-in
        region_name="us-east-1",
    )
    client.create_bucket(**named)

    def rename(number: int) -> None:
        source = {**named, "Key": f"{number}.md"}
        client.copy_object(**named, CopySource=source, Key=f"renamed {number}.md")
        client.delete_object(**source)

    try:
        yield Service(
            connect=("s3", _BUCKET, "-o", "access_key_id=reader", "-o", f"endpoint_url={url}"),
            secret="secret",  # noqa: S106 - of a stand-in
            write=lambda n, text: client.put_object(**named, Key=f"{n}.md", Body=text.encode()),
            delete=lambda n: client.delete_object(**named, Key=f"{n}.md"),
            rename=rename,
        )
    finally:
        client.close()
        server.stop()


@contextmanager
def webdav_service(_folder: Path) -> Iterator[Service]:
    """A cloud of Anna, who shares a folder with Bob."""
    cloud = NextcloudSandbox()
    for name in (ANNA, BOB):
        cloud.add_user(name, f"{name}-app-password")
    cloud.folder("anna/open")
    cloud.folder("anna/closed")
    cloud.share("anna/open", "user", BOB)

    def write(number: int, text: str) -> None:
        cloud.put(f"anna/open/{number}.md", text.encode())

    with served(nextcloud_app(cloud)) as url:
        yield Service(
            connect=("webdav", f"{url}/remote.php/dav/files/anna/", "-o", "user=anna"),
            secret="anna-app-password",  # noqa: S106 - of a stand-in
            write=write,
            delete=lambda n: cloud.delete(f"anna/open/{n}.md"),
            rename=lambda n: cloud.move(f"anna/open/{n}.md", f"anna/open/renamed {n}.md"),
            hide=lambda n: cloud.move(f"anna/open/{n}.md", f"anna/closed/{n}.md"),
        )


@contextmanager
def confluence_service(_folder: Path) -> Iterator[Service]:
    """A site with one space."""
    site = ConfluenceSandbox()
    space = site.add_space("DOC", users=[ANNA, BOB])
    pages: dict[int, Any] = {}

    def write(number: int, text: str) -> None:
        if number in pages:
            site.edit(pages[number], body=f"<p>{text}</p>")
        else:
            pages[number] = site.add("page", f"Note {number}", space, body=f"<p>{text}</p>")

    routes = [Mount("/wiki", routes=confluence_routes(site, Ledger()))]
    with served(Starlette(routes=routes)) as url:
        yield Service(
            connect=("confluence", url, "-o", f"email={site.email}"),
            secret=site.token,
            write=write,
            delete=lambda n: site.trash(pages[n]),
            rename=lambda n: site.edit(pages[n], title=f"Renamed {n}"),
            hide=lambda n: site.restrict(pages[n], users=[ANNA]),
        )


SERVICES: Mapping[str, Callable[[Path], AbstractContextManager[Service]]] = {
    "git": git_service,
    "webdav": webdav_service,
    "s3": s3_service,
    "confluence": confluence_service,
}
"""The services by kind, each with a folder for what it keeps."""
