"""The part of a turn's state that is about a wish to forget."""

from typing import Literal, TypedDict


class KeptReference(TypedDict):
    """Something that is to be forgotten, as `domain.memory.traces.KeptText` has it."""

    kind: str
    key: str


class ForgettingState(TypedDict, total=False):
    """A request to forget, and its outcome.

    `status` is "asked" until the user chose one of `options` (or none), "nothing" when there is
    nothing to forget, "failed" when the model that judges failed. `words` and `facts` are its
    traces. `gone` counts what was deleted by its kind, `left` what only names it.
    """

    status: Literal["asked", "done", "kept", "nothing", "failed"]
    everything: bool
    options: list[list[KeptReference]]
    words: list[str]
    facts: list[str]
    gone: dict[str, int]
    left: int
