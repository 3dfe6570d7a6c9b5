"""Lengths of prompts, and how much of each a server has read that keeps earlier ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bench.prompts.requests import FURTHER_ANSWER, Request, kept_messages, shared_prefix
from bench.tokens.counting import TokenCounter

FIRST_LASTING_TURN = 3
"""Earlier prompts have next to no conversation that they could share."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """A request, its tokens, and the tokens that its beginning shares with earlier requests.

    `of_kind` is shared with the previous request of the same kind, None for the first one;
    `in_slot` with the previous request of any kind, all that a server with one slot can reuse.
    Of the `conversation` messages before the turn of the previous request of the same kind, `kept`
    are shared.
    """

    request: Request
    tokens: int
    form: int
    of_kind: int | None
    in_slot: int
    kept: int
    conversation: int

    @property
    def share(self) -> float | None:
        """The share that the previous request of the same kind has, 0 to 1."""
        return None if self.of_kind is None else self.of_kind / self.tokens

    @property
    def uncached(self) -> int:
        """The tokens that a server with one slot has to read."""
        return self.tokens - self.in_slot


def sharing_of(requests: Sequence[Request], counter: TokenCounter) -> list[Sharing]:
    """Compare each request with those before it."""
    rows = list[Sharing]()
    lengths = {
        turn: min(len(one.conversation) for one in requests if one.turn == turn)
        for turn in {one.turn for one in requests}
    }
    last_of_kind = dict[str, Request]()
    last: Request | None = None
    for request in requests:
        before = last_of_kind.get(request.kind)
        texts = [
            request.text,
            request.form,
            shared_prefix(before, request) if before else "",
            shared_prefix(last, request) if last else "",
        ]
        tokens, form, of_kind, in_slot = counter.count(texts)
        conversation = lengths[before.turn] if before else 0
        kept = min(kept_messages(before, request), conversation) if before else 0
        shared = of_kind if before else None
        rows.append(Sharing(request, tokens, form, shared, in_slot, kept, conversation))
        last = last_of_kind[request.kind] = request
    return rows


@dataclass(frozen=True, slots=True)
class KindSummary:
    """The requests of one kind: the longest, its form, and shares from the third turn on.

    The shares are None where no two requests of the kind can be compared.
    """

    kind: str
    requests: int
    tokens: int
    form: int
    least_share: float | None
    median_share: float | None
    keeps_conversation: bool


def summaries(rows: Sequence[Sharing]) -> Iterator[KindSummary]:
    """A summary of each kind, in the order of their first requests."""
    for kind in dict.fromkeys(row.request.kind for row in rows):
        own = [row for row in rows if row.request.kind == kind]
        lasting = [row for row in own if row.request.turn >= FIRST_LASTING_TURN]
        shares = [row.share for row in lasting if row.share is not None]
        longest = max(own, key=lambda row: row.tokens + row.form)
        yield KindSummary(
            kind,
            len(own),
            longest.tokens,
            longest.form,
            min(shares, default=None),
            median(shares) if shares else None,
            all(row.kept == row.conversation for row in lasting),
        )


def figures(rows: Sequence[Sharing]) -> tuple[dict[str, float], dict[str, float]]:
    """Figures that should stay small, and figures that should stay large, by name.

    Whether an answer is corrected differs from run to run, so further answers are left out.
    """
    rows = [row for row in rows if row.request.kind != FURTHER_ANSWER]
    small, large = dict[str, float](), dict[str, float]()
    for one in summaries(rows):
        small[f"{one.kind}: tokens with its form"] = one.tokens + one.form
        if one.least_share is not None:
            large[f"{one.kind}: least shared prefix"] = one.least_share
    turns = len({row.request.turn for row in rows})
    small["calls of a turn that calls a model"] = len(rows) / turns
    small["uncached tokens in one slot, each of these turns"] = (
        sum(row.uncached for row in rows) / turns
    )
    return small, large
