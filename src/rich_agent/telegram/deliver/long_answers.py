"""Answers in ordinary messages. A very long answer is cut, and a text file has all of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich_agent.domain.answer.citation import Answer
from rich_agent.phrases import say
from rich_agent.ports.bot_api import FileToSend, RenderedMessage, TelegramApi
from rich_agent.rendering.answers import NOTHING_ABOVE, escape_invisible, render
from rich_agent.telegram.deliver.delivery import NOTHING_MADE
from rich_agent.telegram.deliver.messenger import Recipe, ReplyTarget

MOST_MESSAGES = 9
"""Most messages of an answer. More would bury a chat, and one per second is sent."""
ANSWER_FILE = 1_200
"""Part number in the outbox of the file with a long answer."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file as a part of an answer; `text` is its name, which the outbox records."""

    text: str
    content: str

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`."""
        file = FileToSend(self.text, self.content.encode())
        return await api.send_file(target.chat_id, file, topic_id=target.topic_id)


@dataclass(frozen=True, slots=True)
class AnswerMessages:
    """The messages of an answer, at least one, and the file of a long answer by its part number."""

    parts: list[RenderedMessage]
    files: Mapping[int, Recipe]


def answer_messages(
    answer: Answer,
    locale: str,
    allowed_links: Iterable[str] = (),
    above: RenderedMessage = NOTHING_ABOVE,
) -> AnswerMessages:
    """The answer in up to nine messages, or the beginning of a longer one with a note and a file.

    See `render` for the arguments.
    """
    links = tuple(allowed_links)
    parts = render(answer, locale=locale, allowed_links=links, above=above)
    if len(parts) <= MOST_MESSAGES:
        return AnswerMessages(parts, NOTHING_MADE)
    note = RenderedMessage(say(locale, "answer-in-file"))
    file = TextFile("answer.txt", escape_invisible(answer, locale=locale, allowed_links=links))
    return AnswerMessages([parts[0], note], {ANSWER_FILE: file})
