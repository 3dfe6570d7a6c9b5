"""`rich-agent usage`: shows the operator the use and cost of models and searches."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from rich_agent.feature import Settings, Shell
from rich_agent.feature.terminal import out, show_table
from rich_agent.feature.usage import (
    Spent,
    UsageLine,
    label_user,
    show_usd,
    spending_by,
    spending_of,
)

_COLUMNS = ("calls", "input", "of it cached", "output", "images", "searches", "cost")


def show_usage(shell: Shell, days: int, *, as_json: bool) -> None:
    """Print the sums of the last `days` days, by day, model and user.

    Raises: DatabaseUnavailableError, SchemaError, SettingsError.
    """
    settings = Settings.load()
    lines, names = asyncio.run(_read(shell, settings, days))
    parts = {
        "days": spending_by(lines, settings.cost.prices, lambda line: str(line.day)),
        "models": spending_by(
            lines, settings.cost.prices, lambda line: f"{line.model} ({line.kind})"
        ),
        "users": spending_by(lines, settings.cost.prices, lambda line: str(line.user_id)),
    }
    labels = {str(user_id): label_user(user_id, names) for user_id in names}
    parts["days"] = dict(sorted(parts["days"].items(), reverse=True))
    total = spending_of(lines, settings.cost.prices)
    if as_json:
        sums: dict[str, Any] = {"last_days": days, "total": use_to_json(total)}
        sums |= {
            name: {key: use_to_json(spending) for key, spending in part.items()}
            for name, part in parts.items()
        }
        out(json.dumps(sums, indent=2))
    elif not lines:
        out("Nothing was used.")
    else:
        show_table(("by", "", *_COLUMNS), list(_rows(total, parts, labels)))


async def _read(
    shell: Shell, settings: Settings, days: int
) -> tuple[list[UsageLine], Mapping[int, str]]:
    """The usage of the last `days` days, and the names of its users."""
    async with shell.open_core(settings) as core:
        lines = list(await core.usage.lines(days))
        return lines, await core.accounts.names({line.user_id for line in lines})


def use_to_json(use: Spent) -> dict[str, Any]:
    """Counts, and the cost as an exact decimal; null without a price."""
    cost = None if use.cost is None else str(use.cost)
    return {**asdict(use.usage), "cost_usd": cost, "without_price": list(use.unpriced)}


def _rows(
    total: Spent, parts: Mapping[str, Mapping[str, Spent]], labels: Mapping[str, str]
) -> Iterator[tuple[str, ...]]:
    """A row for the total and for each part; "~" marks estimates, "*" incomplete costs."""
    yield ("total", "", *_cells(total))
    for name, part in parts.items():
        for key, spending in part.items():
            label = labels.get(key, key) if name == "users" else key
            yield (name.removesuffix("s"), label, *_cells(spending))


def _cells(part: Spent) -> tuple[str, ...]:
    use = part.usage
    estimate_mark = "~" if use.estimated else ""
    return (
        f"{use.calls:,}",
        f"{estimate_mark}{use.input_tokens:,}",
        f"{use.cached_tokens:,}",
        f"{estimate_mark}{use.output_tokens:,}",
        f"{use.images:,}",
        f"{use.searches:,}",
        show_cost(part),
    )


def show_cost(use: Spent) -> str:
    """The cost in USD; "–" without any price, and "*" if some prices are missing."""
    return "–" if use.cost is None else show_usd(use.cost) + ("*" if use.unpriced else "")
