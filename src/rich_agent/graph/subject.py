"""The subject of a message, as far as it is certain: the newest thing that came wins.

What is not certain is left to the planner. docs/architecture.md has the table of cases.
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
    history_of,
    images_of,
    is_comment,
    is_for_group,
    is_in_session,
    last_answer_has_mark,
    question_of,
    unseen_of,
    was_asked,
    words_of,
)

_NO_ANSWER: frozenset[SmallTalk] = frozenset({"greeting", "farewell", "thanks"})


def is_no_answer(message: IncomingMessage, state: TurnState) -> bool:
    """Whether a message surely does not answer the question of this turn.

    What to do with something that came without words is said in words, and so is what an approval
    is to change: a photo, a file or a link is new.
    """
    wants_words = bool(clarification_of(state).get("approves")) or not bare_words(
        question_of(state)
    )
    return is_another_request(message, pending_question(state), wants_words=wants_words)


def is_another_request(
    message: IncomingMessage, question: Clarification, *, wants_words: bool = False
) -> bool:
    """Whether a message surely is no answer to the question; False leaves it to the planner.

    Surely none is what is forwarded, a greeting, a file with words of its own, a reply to some
    other message, and what is no choice where only choices count. Nor is anything new a user sends
    an answer that `wants_words`: it says nothing of what came before.
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
    links = web_links(message.text) if message.links is None else None
    is_only_links = links[1] if links else message.is_only_links
    return bool(message.photos or message.files or message.unread) or is_only_links


def is_dropped_by(routing: Routing, state: TurnState) -> bool:
    """Whether the plan takes what came for another request than the answer that was awaited."""
    question = clarification_of(state)
    # A wish to forget has to be confirmed, and one question in a turn is enough.
    is_other = routing.is_new_request or routing.forget is not None
    if not is_other or question.get("status") != "answered":
        return False
    reply = read_request(question["reply"])
    return not reply.answers and not answers_by_choice(reply.message.text, pending_question(state))


def lacks_question(state: TurnState) -> bool:
    """Whether images or files came and surely nothing says what for: no word here or before.

    Where something was said before, the planner tells whether that was for these.
    """
    if clarification_of(state) or unseen_of(state) or history_of(state):
        return False
    reply = input_of(state).reply
    texts = [words_of(state), reply.text if reply else "", reply.quote if reply else ""]
    came = images_of(state) or read_of(state)
    return bool(came) and not any(map(bare_words, texts))


def lacks_wish(state: TurnState) -> bool:
    """Whether links came alone, and not in answer to a question."""
    is_alone = input_of(state).is_only_links and not is_for_group(state)
    is_answer = was_asked(state) and not last_answer_has_mark(state, ON_MATERIAL)
    return is_alone and not (clarification_of(state) or is_in_session(state) or is_answer)


def brings_subject(state: TurnState) -> bool:
    """Whether something came that even a short word is about, or a question waits for it."""
    is_seen = images_of(state) and not unseen_of(state)
    return bool(clarification_of(state) or is_seen or is_comment(state) or read_of(state))
