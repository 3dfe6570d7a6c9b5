"""Shares and means with their 95 % intervals."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import sqrt
from statistics import fmean

from rich_agent.feature.usage import show_usd

_Z = 1.959964
_RESAMPLES = 2_000
_SEED = 20_240_117


@dataclass(frozen=True, slots=True)
class Interval:
    """A value over `count` questions, with its 95 % interval."""

    value: float
    low: float
    high: float
    count: int


def share_of(outcomes: Sequence[bool]) -> Interval | None:
    """The share of true outcomes, None without outcomes.

    Source: Wilson, Probable inference, the law of succession, and statistical inference, 1927.
    """
    count = len(outcomes)
    if not count:
        return None
    share = sum(outcomes) / count
    spread = _Z * sqrt(share * (1 - share) / count + _Z**2 / (4 * count**2))
    middle, scale = share + _Z**2 / (2 * count), 1 + _Z**2 / count
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return Interval(share, max(0.0, low), min(1.0, high), count)


def change_of(pairs: Sequence[tuple[bool, bool]]) -> Interval | None:
    """The change of a share between two answers to the same questions; None without questions.

    Each pair is whether the first and the second answer are right. Source: Agresti and Min, Simple
    improved confidence intervals for comparing matched proportions, 2005 (half a question is added
    to each kind of pair).
    """
    if not pairs:
        return None
    gains = sum(is_right and not was_right for was_right, is_right in pairs) + 0.5
    losses = sum(was_right and not is_right for was_right, is_right in pairs) + 0.5
    count = len(pairs) + 2
    middle = (gains - losses) / count
    spread = _Z * sqrt(gains + losses - (gains - losses) ** 2 / count) / count
    value = (gains - losses) / len(pairs)
    return Interval(value, max(-1.0, middle - spread), min(1.0, middle + spread), len(pairs))


def mean_of(values: Sequence[float]) -> Interval | None:
    """The mean, None without values.

    Its interval is from resampling, always with the same seed. Source: Efron, Bootstrap methods:
    another look at the jackknife, 1979 (percentile interval).
    """
    if not values:
        return None
    generator = random.Random(_SEED)  # noqa: S311 - keeps no secret
    means = sorted(fmean(generator.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    low, high = means[_RESAMPLES // 40], means[-1 - _RESAMPLES // 40]
    return Interval(fmean(values), low, high, len(values))


def bound_in_words(name: str, bound: float) -> str:
    """A value or a bound of the measure `name`, as reports and the page show it."""
    if name == "cost":
        return show_usd(Decimal(bound))
    if name == "tokens":
        return f"{bound:,.0f}"
    return f"{bound:.1f}" if name == "seconds" else f"{bound:.3f}"
