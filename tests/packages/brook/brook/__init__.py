"""Searches the web with Brook, if its address is set."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from rich_agent import feature as door


class BrookSettings(door.Group):
    """The access to Brook."""

    api_key: door.Secret = door.setting("Key for Brook; unset: it is not used.")
    base_url: door.Url = door.setting("Address of Brook.", "https://brook.example")


@asynccontextmanager
async def open_brook(core: door.Core) -> AsyncIterator[door.Parts]:
    """The engine, none without a key."""
    import httpx

    own = core.section(BrookSettings)
    if own.api_key is None:
        yield door.Parts()
        return
    headers = {"X-Brook-Key": own.api_key.get_secret_value()}
    async with httpx.AsyncClient(base_url=own.base_url, headers=headers, trust_env=False) as http:

        async def search(query: str, limit: int) -> list[door.WebResult]:
            answer = await http.get("/find", params={"words": query, "most": limit})
            if answer.status_code == 401:
                raise door.UpstreamRefusedError("brook", "it does not know the key")
            hits = answer.raise_for_status().json()["hits"]
            return [door.WebResult(one["at"], one["name"], one["says"]) for one in hits]

        yield door.Parts(search=[door.SearchEngine("brook", search)])


feature = door.Feature(name="brook", open=open_brook, settings=BrookSettings)
