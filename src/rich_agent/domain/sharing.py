"""How several processes share an allowance that they must not exceed together."""

from collections.abc import Sequence
from dataclasses import dataclass

_LEAST_WANTED = 1.0
_LEAST_SHARE = 1.0


@dataclass(frozen=True, slots=True)
class Share:
    """What a process last asked for, and what it got; both per second."""

    wanted_per_s: float
    given_per_s: float


def share_of(
    total_per_s: float, wanted_per_s: float, others: Sequence[Share], *, is_new: bool = False
) -> float:
    """What a process may have per second next to the others.

    In proportion to what each wants, and nothing of what another one still holds. A new one gets
    half of its part all the same, until the others ask again: it need not wait for those that died.
    """
    wanted = max(wanted_per_s, _LEAST_WANTED)
    of_all = wanted + sum(max(other.wanted_per_s, _LEAST_WANTED) for other in others)
    fair = total_per_s * wanted / of_all
    free = total_per_s - sum(other.given_per_s for other in others)
    least = fair / 2 if is_new else min(_LEAST_SHARE, total_per_s / (len(others) + 1))
    return max(least, min(fair, free))
