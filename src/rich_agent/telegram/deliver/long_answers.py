"""Answers in ordinary messages; a long one as its beginning, and as a text file with all of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rich_agent.domain.answer.citation import Answer
from rich_agent.phrases import say
from rich_agent.ports.bot_api import FileToSend, RenderedMessage, TelegramApi
from rich_agent.rendering.answers import NOTHING_ABOVE, escape_invisible, render
from rich_agent.telegram.deliver.delivery import NOTHING_MADE
from rich_agent.telegram.deliver.messenger import Recipe, ReplyTarget

MOST_MESSAGES = 9
"""More would bury a chat, and take a minute at a message a second."""
ANSWER_FILE = 1_200
"""The part in the outbox of the file with a long answer."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text file as a part; the outbox notes its name."""

    text: str
    content: str

    async def send(self, api: TelegramApi, target: ReplyTarget) -> int:
        """See `Recipe.send`."""
        file = FileToSend(self.text, self.content.encode())
        return await api.send_file(target.chat_id, file, topic_id=target.topic_id)


@dataclass(frozen=True, slots=True)
class AnswerMessages:
    """The messages of an answer, at least one, and the file below them that a long one has."""

    parts: list[RenderedMessage]
    files: Mapping[int, Recipe]


def answer_messages(
    answer: Answer,
    locale: str,
    allowed_links: Iterable[str] = (),
    above: RenderedMessage = NOTHING_ABOVE,
) -> AnswerMessages:
    """The answer in up to nine messages, else its beginning, a note, and the file; see `render`."""
    links = tuple(allowed_links)
    parts = render(answer, locale=locale, allowed_links=links, above=above)
    if len(parts) <= MOST_MESSAGES:
        return AnswerMessages(parts, NOTHING_MADE)
    note = RenderedMessage(say(locale, "answer-in-file"))
    file = TextFile("answer.txt", escape_invisible(answer, locale=locale, allowed_links=links))
    return AnswerMessages([parts[0], note], {ANSWER_FILE: file})
