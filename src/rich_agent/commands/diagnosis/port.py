"""Check of the port on which `rich-agent run` listens."""

import httpx

from rich_agent.errors import PortTakenError
from rich_agent.runtime.lifetime import check_is_free
from rich_agent.settings.settings import Settings

_WITHIN_S = 3.0


async def check_port(settings: Settings) -> str:
    """Tell whether the port is free, or a bot that runs already listens on it.

    Raises: PortTakenError if another program has it, or it cannot be opened.
    """
    host, port = settings.web.host, settings.web.port
    try:
        check_is_free(host, port)
    except PortTakenError:
        if await _is_bot(host, port):
            return f"a bot that runs listens on {port} already"
        raise
    return f"{port} on {host} is free"


async def _is_bot(host: str, port: int) -> bool:
    address = "127.0.0.1" if host in {"0.0.0.0", "::"} else host  # noqa: S104 - nothing is opened
    try:
        async with httpx.AsyncClient(trust_env=False, timeout=_WITHIN_S) as http:
            answer = await http.get(f"http://{address}:{port}/healthz")
    except (httpx.HTTPError, httpx.InvalidURL):
        return False
    return answer.status_code == httpx.codes.OK and answer.text == "ok"
