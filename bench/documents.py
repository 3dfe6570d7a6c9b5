"""Memory of a bot that gets ten documents of 20 MB at once: `python -m bench.documents`.

Half of them are Word documents with a large picture, half tables. Each is of another user, and all
come in the same second. Measured is the most resident memory that `rich-agent run` had (VmHWM), its
database apart, when all are answered; the processes that read the files are looked at every 20 ms.
"""

import asyncio
import io
import os
import random
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from zipfile import ZIP_STORED, ZipFile

import httpx
import psutil
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from typing_extensions import override

from bench.database import running_database
from bench.instant import Instant, served
from bench.turn import SECRET, running_bot, settings_for
from tests.documents import document

DOCUMENTS = 10
SIZE = 20_000_000 - 64 * 1024
MOST_MB = 600
PORT = 18_097
WAIT_S = 120.0
_END = "That is all of it"


def word_document(number: int) -> bytes:
    """The minutes of the tests with a picture that fills them up, each another."""
    target = io.BytesIO(document("minutes.docx"))
    with ZipFile(target, "a", ZIP_STORED) as archive:
        room = SIZE - len(target.getvalue()) - 1_000
        archive.writestr("word/media/picture.jpeg", random.Random(number).randbytes(room))  # noqa: S311
    return target.getvalue()


def table(number: int) -> bytes:
    """A CSV file, each another."""
    row = f"2025-01-{number + 1:02},shop {number},12.50,a remark of some words\n"
    return ("day,shop,amount,remark\n" + row * (SIZE // len(row))).encode()


@dataclass(slots=True)
class Documents(Instant):
    """Upstreams that answer at once, and hold the documents."""

    files: dict[str, bytes] = field(default_factory=dict)

    @override
    def app(self) -> Starlette:
        """The routes, with those of files."""
        routes = Instant.app(self).routes
        download = Route("/file/bot{token}/{name}", self.download)
        return Starlette(
            routes=[
                download,
                Route("/bot{token}/getFile", self.get_file, methods=["POST"]),
                *routes,
            ]
        )

    async def get_file(self, request: Request) -> Response:
        """Return the path and size of a document, as getFile does."""
        file_id = str((await request.form())["file_id"])
        size = len(self.files[file_id])
        found = {
            "file_id": file_id,
            "file_unique_id": file_id,
            "file_size": size,
            "file_path": file_id,
        }
        return JSONResponse({"ok": True, "result": found})

    @override
    async def download(self, request: Request) -> Response:
        """Its bytes."""
        return Response(self.files[request.path_params["name"]])


@dataclass(slots=True)
class Peak:
    """The most memory of the bot and of its readers, in MB."""

    bot_mb: float = 0.0
    readers_mb: float = 0.0
    readers: int = 0

    def watch(self, process: psutil.Process, done: Event) -> None:
        """Look until it is done."""
        while not done.wait(0.02):
            sizes = [
                size for one in process.children(recursive=True) if (size := _reader_size(one))
            ]
            self.readers_mb = max(self.readers_mb, sum(sizes) / 1e6)
            self.readers = max(self.readers, len(sizes))


def _most_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024 / 1e6


def _reader_size(process: psutil.Process) -> int:
    try:
        return process.memory_info().rss if "anyio" in " ".join(process.cmdline()) else 0
    except psutil.Error:
        return 0


def update(user: int, file_id: str, name: str) -> dict[str, object]:
    """A document with a question."""
    person = {"id": user, "is_bot": False, "first_name": "Bench", "language_code": "en"}
    sent = {"file_id": file_id, "file_unique_id": file_id, "file_name": name, "file_size": SIZE}
    message = {
        "message_id": 1,
        "date": 0,
        "chat": {"id": user, "type": "private", "first_name": "Bench"},
        "from": person,
        "caption": "What is in it?",
        "document": sent,
    }
    return {"update_id": user, "message": message}


async def post(address: str, updates: Sequence[dict[str, object]]) -> None:
    """All of them at once."""
    headers = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
    async with httpx.AsyncClient(headers=headers) as http:
        url = f"{address}/telegram/webhook"
        for answer in await asyncio.gather(*(http.post(url, json=one) for one in updates)):
            answer.raise_for_status()


def measure(upstream: Documents, address: str, process: psutil.Process) -> tuple[Peak, float]:
    """The peaks, and the seconds until the last answer."""
    names = ["minutes.docx", "table.csv"]
    users = range(1_000_001, 1_000_001 + DOCUMENTS)
    peak, done = Peak(), Event()
    watcher = Thread(target=peak.watch, args=(process, done))
    watcher.start()
    began = time.perf_counter()
    updates = [update(user, str(n), names[n % 2]) for n, user in enumerate(users)]
    try:
        asyncio.run(post(address, updates))
        while not all(upstream.text_of(user, _END) for user in users):
            time.sleep(0.1)
            if time.perf_counter() - began > WAIT_S:
                sys.exit(f"not all are answered: {upstream.shown[-5:]}")
    finally:
        done.set()
        watcher.join()
    peak.bot_mb = _most_mb(process.pid)
    return peak, time.perf_counter() - began


def main() -> None:
    """Exit with 1 if the bot took more memory than the limit."""
    upstream = Documents()
    upstream.files = {
        str(number): table(number) if number % 2 else word_document(number)
        for number in range(DOCUMENTS)
    }
    with (
        running_database() as database,
        served(upstream) as address,
        running_bot(settings_for(address, database.url, port=PORT)) as bot,
    ):
        (process,) = [
            one
            for one in psutil.Process().children()
            if "rich_agent.cli" in " ".join(one.cmdline())
        ]
        idle_mb = process.memory_info().rss / 1e6
        peak, seconds = measure(upstream, bot, process)
    size = sum(map(len, upstream.files.values())) / 1e6
    print(f"{DOCUMENTS} documents, {size:.0f} MB; load {os.getloadavg()[0]:.1f}")
    print(f"resident memory of the bot: {idle_mb:.0f} MB idle, {peak.bot_mb:.0f} MB at most")
    print(f"the {peak.readers} processes that read files: {peak.readers_mb:.0f} MB at most")
    print(f"all answered after {seconds:.1f} s")
    sys.exit(peak.bot_mb > MOST_MB)


if __name__ == "__main__":
    main()
