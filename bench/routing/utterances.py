"""The labelled utterances, as they stand in `utterances.jsonl`, one a line."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, Self

Language = Literal["en", "ja", "de", "es", "fr", "zh", "ko", "ar"]
FILE = Path(__file__).with_name("utterances.jsonl")
ASKS_BACK = "asks back"
"""What stands for a plan where the bot asks what is meant."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """A message with what it may be taken for; the first of `intents` and `plans` is its label.

    `history` holds (role, text), oldest first. `image` has `summary` and `entities` of a photo that
    came with it, `reply_to` text and author of the message replied to, `forwarded` those of what
    was passed on. The standalone query has to hold each of `query_names`, in any case. `web` is
    what may be said of a search of the web, where it does not follow from the other labels. The
    words of the sandbox's planner were chosen without a look at those that are `held_back`.
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
    web: tuple[str, ...] = ()
    held_back: bool = False

    @property
    def web_uses(self) -> tuple[str, ...]:
        """The words that may be said of a search of the web: `never`, `if_needed` or `now`."""
        if self.web:
            return self.web
        if "web" in self.plans[0]:
            return ("now",)
        if self.plans[0] == "direct" or self.intents[0] in {"about_this_bot", "docs_required"}:
            return ("never",)
        return ("if_needed", "now") if "web" in self.plans else ("if_needed",)

    @classmethod
    def from_json(cls, line: str) -> Self:
        """The utterance of one line.

        Raises: ValueError, KeyError, TypeError for a line that is none.
        """
        told = json.loads(line)
        for name in ("intents", "plans", "query_names", "web"):
            told[name] = tuple(told.get(name, ()))
        told["history"] = tuple((role, text) for role, text in told.get("history", ()))
        return cls(**told)


def load(limit: int | None = None) -> list[Utterance]:
    """The utterances; with `limit` so many of them, spread evenly over the file."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    step = max(1.0, len(lines) / limit) if limit else 1.0
    places = [round(number * step) for number in range(min(limit or len(lines), len(lines)))]
    return [Utterance.from_json(lines[place]) for place in places if place < len(lines)]
