"""Messages of the user, answers of the bot, and what a good answer never contains."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from rich_agent_sandbox.openai.servers.styles import THOUGHT

_FAILURES = (
    "apology-",
    "contradicted",
    "early-end-",
    "forgetting-failed",
    "look-failed",
    "model-away",
    "planner-",
    "status-held",
    "unsupported",
    "web-unavailable",
)


def _words_of_failures() -> Iterator[str]:
    """Yield the start of each of the bot's own sentences on a failure, in all languages."""
    for file in files("rich_agent").joinpath("locales").iterdir():
        for line in file.read_text("utf-8").splitlines():
            key, is_phrase, words = line.partition(" = ")
            if is_phrase and key.startswith(_FAILURES):
                yield words.partition("{")[0][:40]


_NEVER = ("<think", "</think", THOUGHT, *filter(None, _words_of_failures()))


class BadAnswer(AssertionError):  # noqa: N818 - what is wrong with an answer
    """The text says what is wrong."""


def expect(holds: object, problem: str) -> None:
    """Raises: BadAnswer."""
    if not holds:
        raise BadAnswer(problem)


@dataclass(frozen=True, slots=True)
class Sent:
    """A text, with a photo maybe; or the press of the button of that text."""

    text: str = ""
    photo: bytes | None = None
    press: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The bot's answer: its last message's text, links, buttons, and id."""

    text: str
    links: tuple[str, ...]
    buttons: tuple[str, ...]
    data: tuple[str, ...]
    message_id: int

    @classmethod
    def of(cls, messages: Sequence[Mapping[str, Any]]) -> "Answer":
        """The answer in the bot's messages below what was sent; long ones are in parts."""
        last = messages[-1]
        pressed = [button for row in last["buttons"] for button in row]
        entities = [entity for message in messages for entity in message["entities"]]
        return cls(
            "\n".join(message["text"] for message in messages),
            tuple(entity["url"] for entity in entities if entity.get("url")),
            tuple(button["text"] for button in pressed),
            tuple(button.get("callback_data", "") for button in pressed),
            last["message_id"],
        )

    def cites(self, page: str) -> bool:
        """Whether a link leads to the page."""
        return any(page in link for link in self.links)

    def check(self) -> None:
        """Raises: BadAnswer if it holds an apology, a thought, or a note on what failed."""
        for words in _NEVER:
            expect(words not in self.text, f"holds “{words}”")
        expect(self.text.strip(), "is empty")
