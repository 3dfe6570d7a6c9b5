"""The subject of a message, as far as it is certain: the newest thing that came.

Uncertain cases are left to the planner. docs/architecture.md has a table of all cases.
"""

from rich_agent.domain.answer.links import web_links
from rich_agent.domain.message import IncomingMessage
from rich_agent.domain.routing.clarification import answers_by_choice
from rich_agent.domain.routing.plan import Clarification, Routing
from rich_agent.domain.routing.small_talk import SmallTalk, small_talk
from rich_agent.domain.text import bare_words
from rich_agent.graph.files.gathering import read_of
from rich_agent.graph.planning import clarification_of, pending_question
from rich_agent.graph.state import TurnState, input_of, read_request
from rich_agent.graph.views import (
    ON_MATERIAL,
    images_of,
    is_comment,
    is_in_group,
    is_in_session,
    last_answer_has_mark,
    messages_before,
    question_of,
    unseen_of,
    was_asked,
    words_of,
)

_NO_ANSWER: frozenset[SmallTalk] = frozenset({"greeting", "farewell", "thanks"})


def is_no_answer(message: IncomingMessage, state: TurnState) -> bool:
    """Whether a message certainly does not answer this turn's question.

    Some questions need words as their answer: what to do with something that came without words,
    and what to change in calls that wait for approval. A photo, file or link does not answer these.
    """
    wants_words = bool(clarification_of(state).get("approves")) or not bare_words(
        question_of(state)
    )
    return is_another_request(message, pending_question(state), wants_words=wants_words)


def is_another_request(
    message: IncomingMessage, question: Clarification, *, wants_words: bool = False
) -> bool:
    """Whether a message certainly is no answer to the question; False leaves it to the planner.

    Certain cases are: a forwarded message, a greeting, a file with words, a reply to another
    message, and words other than a choice if only choices count. If the question `wants_words`, new
    material without words is another request, too.
    """
    if question.only_choices or answers_by_choice(message.text, question):
        return not answers_by_choice(message.text, question)
    brings_question = bool(message.files and bare_words(message.text))
    if wants_words and _brings_material(message):
        return True
    if brings_question or message.forwarded or small_talk(message.text) in _NO_ANSWER:
        return True
    return bool(message.reply and question.question not in message.reply.text)


def _brings_material(message: IncomingMessage) -> bool:
    """Whether the message brings a photo, a file, unread content, or links without words."""
    links = web_links(message.text) if message.links is None else None
    is_only_links = links[1] if links else message.is_only_links
    return bool(message.photos or message.files or message.unread) or is_only_links


def is_dropped_by(routing: Routing, state: TurnState) -> bool:
    """Whether the plan takes the awaited answer for another request."""
    question = clarification_of(state)
    # A request to forget needs a question of its own, and a turn asks one question only.
    is_other_request = routing.is_new_request or routing.forget is not None
    if not is_other_request or question.get("status") != "answered":
        return False
    reply = read_request(question["reply"])
    return not reply.answers and not answers_by_choice(reply.message.text, pending_question(state))


def lacks_question(state: TurnState) -> bool:
    """Whether images or files came, and certainly without a question or an instruction.

    If there are earlier messages, the planner decides whether they are about the files.
    """
    if clarification_of(state) or unseen_of(state) or messages_before(state):
        return False
    reply = input_of(state).reply
    texts = [words_of(state), reply.text if reply else "", reply.quote if reply else ""]
    material = images_of(state) or read_of(state)
    return bool(material) and not any(map(bare_words, texts))


def lacks_wish(state: TurnState) -> bool:
    """Whether links came without words, and not in answer to a question."""
    is_only_links = input_of(state).is_only_links and not is_in_group(state)
    is_answer = was_asked(state) and not last_answer_has_mark(state, ON_MATERIAL)
    return is_only_links and not (clarification_of(state) or is_in_session(state) or is_answer)


def brings_subject(state: TurnState) -> bool:
    """Whether the message has something that even a short word may be about."""
    is_seen = images_of(state) and not unseen_of(state)
    return bool(clarification_of(state) or is_seen or is_comment(state) or read_of(state))
