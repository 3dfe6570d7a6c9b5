"""procrastinate as inbox: `python -m bench.webhook.queue receive|work|schema`.

A job for each update, a lock for each user, so that a user's jobs run one after the other, and a
queueing lock for each update, which is all the library has against repetitions.
"""

import asyncio
import hmac
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import uvicorn
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from bench.webhook.handling import handle
from bench.webhook.load import SECRET

jobs = App(connector=PsycopgConnector(conninfo=os.environ["DATABASE_URL"], min_size=1, max_size=10))


@jobs.task(name="handle_update")  # type: ignore[untyped-decorator]  # a peer, not installed here
async def handle_update(update_id: int, user: int, text: str) -> None:
    """The job of an update."""
    await handle(update_id, user, text)


async def receive(request: Request) -> Response:
    """Commit the job, then acknowledge."""
    given = request.headers.get("X-Telegram-Bot-Api-Secret-Token", "")
    if not hmac.compare_digest(given, SECRET):
        return PlainTextResponse("forbidden", 403)
    update = await request.json()
    number, message = update["update_id"], update["message"]
    user = message["from"]["id"]
    job = handle_update.configure(lock=f"user-{user}", queueing_lock=f"update-{number}")
    try:
        await job.defer_async(update_id=number, user=user, text=message["text"])
    except AlreadyEnqueued:
        return PlainTextResponse("known")
    return PlainTextResponse("ok")


@asynccontextmanager
async def _opened(_: Starlette) -> AsyncIterator[None]:
    async with jobs.open_async():
        yield


async def _work() -> None:
    async with jobs.open_async():
        await jobs.run_worker_async(concurrency=16, install_signal_handlers=False)


async def _make_schema() -> None:
    async with jobs.open_async():
        await jobs.schema_manager.apply_schema_async()


def main() -> None:
    """Play one role."""
    match sys.argv[1]:
        case "receive":
            app = Starlette(
                routes=[Route("/telegram/webhook", receive, methods=["POST"])], lifespan=_opened
            )
            uvicorn.run(app, port=int(os.environ["PORT"]), log_level="error", access_log=False)
        case "work":
            asyncio.run(_work())
        case "schema":
            asyncio.run(_make_schema())


if __name__ == "__main__":
    main()
