"""The labelled utterances, as they stand in `utterances.jsonl`, one a line."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

Language = Literal["en", "ja"]
FILE = Path(__file__).with_name("utterances.jsonl")
ASKS_BACK = "asks back"
"""What stands for a plan where the bot asks what is meant."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message with what it may be taken for; the first of `intents` and `plans` is its label.

    `history` holds (role, text), oldest first. `image` has `summary` and `entities` of a photo that
    came with it, `reply_to` text and author of the message replied to, `forwarded` those of what
    was passed on. The standalone query has to hold each of `query_names`, in any case.
    """

    text: str
    language: Language
    intents: tuple[str, ...]
    plans: tuple[str, ...]
    history: tuple[tuple[str, str], ...] = ()
    image: dict[str, Any] = field(default_factory=dict)
    reply_to: dict[str, str] = field(default_factory=dict)
    forwarded: dict[str, str] = field(default_factory=dict)
    query_names: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, line: str) -> Self:
        """The utterance of one line.

        Raises: ValueError, KeyError, TypeError for a line that is none.
        """
        told = json.loads(line)
        for name in ("intents", "plans", "query_names"):
            told[name] = tuple(told.get(name, ()))
        told["history"] = tuple((role, text) for role, text in told.get("history", ()))
        return cls(**told)


def load(limit: int | None = None) -> list[Utterance]:
    """The utterances; with `limit` so many of them, spread evenly over the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    step = max(1.0, len(lines) / limit) if limit else 1.0
    places = [round(number * step) for number in range(min(limit or len(lines), len(lines)))]
    return [Utterance.from_json(lines[place]) for place in places if place < len(lines)]
