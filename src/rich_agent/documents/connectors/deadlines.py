"""The deadline of a service that lists its documents or rights item by item."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, TypeVar

from rich_agent.documents.connectors.port import ConnectorError

_LONGEST_SILENCE_S: Final = 3_600.0
T = TypeVar("T")


async def with_deadline(items: AsyncIterator[T]) -> AsyncIterator[T]:
    """Yield the items. Raises: ConnectorError if the next item takes longer than an hour."""
    while True:
        try:
            async with asyncio.timeout(_LONGEST_SILENCE_S):
                item = await anext(items)
        except StopAsyncIteration:
            return
        except TimeoutError as error:
            raise ConnectorError(f"no answer within {_LONGEST_SILENCE_S:g} s") from error
        yield item
