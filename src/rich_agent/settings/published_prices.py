"""The prices of models as genai-prices publishes them, for servers that it knows.

The table is a snapshot in the installed package: nothing is fetched. A model on a server that the
table does not know, such as one of this machine, has no price.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from importlib.metadata import version
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import structlog

from rich_agent.domain.usage_limits import Price

if TYPE_CHECKING:
    from genai_prices.types import ModelPrice

_PACKAGE: Final = "genai-prices"
RELEASES: Final[Mapping[str, date]] = {"0.2.3": date(2026, 11, 10)}
"""The days of its versions, which the package itself does not name."""
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class PublishedPrices:
    """The table; `server_by_model` has the addresses of the servers of the configured models.

    A model that is not configured any more is looked up at all of these servers.
    """

    server_by_model: Mapping[str, str]
    _prices: dict[str, Price | None] = field(default_factory=dict, compare=False)

    @property
    def edition(self) -> str:
        """The version of the table, with its day if that is known."""
        number = version(_PACKAGE)
        day = RELEASES.get(number)
        return f"{_PACKAGE} {number}" + (f" of {day}" if day else "")

    def find(self, model: str) -> Price | None:
        """The price of the model today, None if the table does not have its server or its name.

        Of a price that rises with the length of the prompt it is the lowest. A table that cannot
        be read has no prices, and the log says so.
        """
        if model not in self._prices:
            try:
                self._prices[model] = self._search(model)
            except Exception as error:  # noqa: BLE001 - answers go on without prices
                self._prices[model] = None
                _log.warning("prices.unreadable", model=model, error=repr(error))
        return self._prices[model]

    def _search(self, model: str) -> Price | None:
        own_server = self.server_by_model.get(model)
        addresses = [own_server] if own_server else dict.fromkeys(self.server_by_model.values())
        prices = (_look_up(one, model) for one in addresses if _is_public(one))
        return next(filter(None, prices), None)


def _is_public(address: str) -> bool:
    """Whether the address may be a provider's, so that loading the table is worth its time."""
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith((".local", ".localhost", ".internal"))


def _look_up(address: str, model: str) -> Price | None:
    # 0.4 s of processor and 20 MB: for the first price only.
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415 - see above

    name = model.removeprefix("models/")  # so does Gemini's own list begin
    try:
        _, entry = get_snapshot().find_provider_model(name, None, None, address)
    except LookupError:
        return None
    return _read_price(entry.get_prices(datetime.now(UTC)))


def _read_price(entry: "ModelPrice") -> Price | None:
    """The price of tokens, None if the model is not paid by the token."""

    def amount(name: str) -> Decimal | None:
        value = getattr(entry, name, None)
        return value if isinstance(value, Decimal) else getattr(value, "base", None)

    read, written = amount("input_mtok"), amount("output_mtok")
    if read is None:
        return None
    cached, cache_write = amount("cache_read_mtok"), amount("cache_write_mtok")
    return Price(
        read,
        written or Decimal(0),
        read if cached is None else cached,
        read if cache_write is None else cache_write,
    )
