"""Check of the port on which `rich-agent run` listens."""

import httpx

from rich_agent.errors import PortTakenError
from rich_agent.runtime.lifetime import check_is_free
from rich_agent.settings.settings import Settings
from rich_agent.telegram.receive.webhook import BOT_ID_HEADER

_WITHIN_S = 3.0


async def check_port(settings: Settings) -> str:
    """Tell whether the port is free, or this bot listens on it already.

    Raises: PortTakenError if another program or bot has it, or it cannot be opened.
    """
    host, port, telegram = settings.web.host, settings.web.port, settings.telegram
    try:
        check_is_free(host, port)
    except PortTakenError:
        if telegram.bot_token and await _is_bot(host, port, telegram.require_bot_id()):
            return f"this bot runs, and listens on {port} already"
        raise
    return f"{port} on {host} is free"


async def _is_bot(host: str, port: int, bot_id: str) -> bool:
    address = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - nothing is opened
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=_WITHIN_S) as http:
            answer = await http.get(f"http://{address}:{port}/healthz")
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
    listener_id: str | None = answer.headers.get(BOT_ID_HEADER)
    return listener_id == bot_id
