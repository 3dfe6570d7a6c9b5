"""Decides which waiting updates of a user are answered together, and how long to wait for more."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich_agent.ports.inbox import SPLIT_TEXT_UNITS, InboxRules

MOST_EXAMINED = 100
"""Most waiting updates to examine: an album has 10 parts, 25 pieces hold 100,000 characters."""


@dataclass(frozen=True, slots=True)
class WaitingUpdate:
    """An update of a lane, without its content.

    `bundle_id` is set once it was handed out. `follows`: it came directly after the previous update
    of the lane, in the same topic, with nothing urgent in between.
    """

    update_id: int
    media_group_id: str | None
    text_units: int | None
    attempts: int
    bundle_id: int | None
    age_s: float
    follows: bool = True


@dataclass(frozen=True, slots=True)
class Bundle:
    """Updates to answer together, after `await_s` seconds unless more of them arrive."""

    updates: tuple[WaitingUpdate, ...]
    await_s: float = 0.0

    @property
    def update_ids(self) -> list[int]:
        """In order."""
        return [update.update_id for update in self.updates]


def next_bundle(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> Bundle:
    """The bundle that begins with the first of `waiting`, which is sorted and not empty.

    Updates that were handed out together stay together: the turn continues from its checkpoint,
    which would ignore a late part.
    """
    head = waiting[0]
    if head.bundle_id is not None:
        return Bundle(tuple(u for u in waiting if u.bundle_id == head.bundle_id))
    if head.media_group_id is not None:
        return _album(waiting, rules)
    return _long_text(waiting, rules)


def first_of_each(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> list[int]:
    """The first update_id of each bundle in `waiting`."""
    firsts = []
    while waiting:
        bundle = next_bundle(waiting, rules)
        firsts.append(bundle.update_ids[0])
        waiting = [update for update in waiting if update not in bundle.updates]
    return firsts


def _album(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> Bundle:
    group = waiting[0].media_group_id
    parts = tuple(u for u in waiting if u.media_group_id == group and u.bundle_id is None)
    oldest_s = max(part.age_s for part in parts)
    newest_s = min(part.age_s for part in parts)
    await_s = min(rules.album_quiet_s - newest_s, rules.album_longest_s - oldest_s)
    return Bundle(parts, max(0.0, await_s))


def _long_text(waiting: Sequence[WaitingUpdate], rules: InboxRules) -> Bundle:
    pieces = [waiting[0]]
    for update in waiting[1:]:
        if not _goes_on(pieces[-1], update, rules.text_gap_s):
            return Bundle(tuple(pieces))
        pieces.append(update)
    last = pieces[-1]
    return Bundle(
        tuple(pieces), max(0.0, rules.text_gap_s - last.age_s) if _may_go_on(last) else 0.0
    )


def _may_go_on(piece: WaitingUpdate) -> bool:
    return piece.text_units is not None and piece.text_units >= SPLIT_TEXT_UNITS


def _goes_on(piece: WaitingUpdate, update: WaitingUpdate, gap_s: float) -> bool:
    return (
        _may_go_on(piece)
        and update.text_units is not None
        and update.follows
        and update.bundle_id is None
        and piece.age_s - update.age_s <= gap_s
    )
