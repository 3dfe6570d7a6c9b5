"""`rich-agent usage`: shows the operator the use and cost of models and searches."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rich_agent.feature import Settings, Shell
from rich_agent.feature.terminal import out, show_table
from rich_agent.feature.usage import (
    Prices,
    Spent,
    UsageLine,
    label_user,
    show_cost,
    spending_by,
    spending_of,
)

_COLUMNS = ("calls", "input", "of it cached", "output", "images", "searches", "cost")


def show_usage(shell: Shell, days: int, *, as_json: bool) -> None:
    """Print the sums of the last `days` days, by day, model and user.

    Raises: DatabaseUnavailableError, SchemaError, SettingsError.
    """
    usage_lines, name_by_user_id, prices = asyncio.run(_read(shell, Settings.load(), days))
    spending_by_part = {
        "days": spending_by(usage_lines, prices, lambda usage_line: str(usage_line.day)),
        "models": spending_by(
            usage_lines,
            prices,
            lambda usage_line: f"{usage_line.model} ({usage_line.kind})",
        ),
        "users": spending_by(usage_lines, prices, lambda usage_line: str(usage_line.user_id)),
    }
    label_by_user_id = {
        str(user_id): label_user(user_id, name_by_user_id) for user_id in name_by_user_id
    }
    spending_by_part["days"] = dict(sorted(spending_by_part["days"].items(), reverse=True))
    total = spending_of(usage_lines, prices)
    edition = prices.edition_for(usage_lines)
    if as_json:
        report: dict[str, Any] = {"last_days": days, "total": use_to_json(total)}
        report["price_table"] = edition or None
        report |= {
            name: {key: use_to_json(spending) for key, spending in spendings.items()}
            for name, spendings in spending_by_part.items()
        }
        out(json.dumps(report, indent=2))
    elif not usage_lines:
        out("Nothing was used.")
    else:
        show_table(("by", "", *_COLUMNS), list(_rows(total, spending_by_part, label_by_user_id)))
        if edition:
            out(f"prices that MODEL_PRICES does not set: {edition}")


async def _read(
    shell: Shell, settings: Settings, days: int
) -> tuple[list[UsageLine], Mapping[int, str], Prices]:
    """The usage of the last `days` days, the names of its users, and the prices."""
    async with shell.open_core(settings) as core:
        lines = list(await core.usage.lines(days))
        names = await core.accounts.names({line.user_id for line in lines})
        return lines, names, core.settings.prices


def use_to_json(use: Spent) -> dict[str, Any]:
    """The counts, and the cost as an exact decimal, null without a price."""
    cost = None if use.cost is None else str(use.cost)
    return {**asdict(use.usage), "cost_usd": cost, "without_price": list(use.unpriced)}


def _rows(
    total: Spent, parts: Mapping[str, Mapping[str, Spent]], labels: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    """A row for the total and for each day, model and user.

    "~" marks estimates, "*" incomplete costs.
    """
    yield ("total", "", *_cells(total))
    for name, spendings in parts.items():
        for key, spending in spendings.items():
            label = labels.get(key, key) if name == "users" else key
            yield (name.removesuffix("s"), label, *_cells(spending))


def _cells(spending: Spent) -> tuple[str, ...]:
    usage = spending.usage
    estimate_mark = "~" if usage.estimated else ""
    return (
        f"{usage.calls:,}",
        f"{estimate_mark}{usage.input_tokens:,}",
        f"{usage.cached_tokens:,}",
        f"{estimate_mark}{usage.output_tokens:,}",
        f"{usage.images:,}",
        f"{usage.searches:,}",
        show_cost(spending),
    )
