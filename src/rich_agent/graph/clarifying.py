"""When the bot asks the user back, and what it asks."""

from rich_agent.domain.approving.cards import ApprovalCard, card_text, cards_in
from rich_agent.domain.message import IncomingMessage
from rich_agent.domain.routing.clarification import (
    answers_by_choice,
    image_topics,
    in_bounds,
    is_another_request,
)
from rich_agent.domain.routing.plan import Clarification, Routing
from rich_agent.domain.text import bare_words, shorten
from rich_agent.domain.tools import ActingState, CallState, ToolCall
from rich_agent.domain.vision import ImageSummary
from rich_agent.graph.files.links import about_links
from rich_agent.graph.state import (
    ClarificationState,
    TurnState,
    input_of,
    read_request,
    reply_of,
    request_of,
)
from rich_agent.graph.views import (
    acting_of,
    history_of,
    images_of,
    locale_of,
    question_of,
    unseen_of,
    words_of,
)
from rich_agent.phrases import say

_SEEN_LENGTH = 200
_NAME_LENGTH = 60


def clarification_of(state: TurnState) -> ClarificationState:
    """The question back of this turn, {} without one."""
    return state.get("clarification") or {}


def cards_of(state: TurnState) -> tuple[ApprovalCard, ...]:
    """Return the card of each call that waits for approval; () where none does."""
    return cards_in(clarification_of(state).get("cards", ()), waiting_calls(state))


def waiting_calls(state: TurnState) -> tuple[ToolCall, ...]:
    """The calls that wait for approval; once it is answered, none does."""
    acting = acting_of(state)
    is_waiting = clarification_of(state).get("approves") and acting.get("calls")
    return tuple(ToolCall(**call) for call in needing_approval(acting)) if is_waiting else ()


def question_text(state: TurnState) -> str:
    """The whole question as plain text, with what waits for approval."""
    return "\n\n".join(filter(None, [asked_in(state).question, card_text(cards_of(state))]))


def needing_approval(acting: ActingState) -> list[CallState]:
    """Return the calls that the user has to approve."""
    pairs = zip(acting.get("calls", []), acting.get("policies", []), strict=True)
    return [call for call, policy in pairs if policy == "ask"]


def answering_in(state: TurnState) -> str:
    """The request in whose answer the turn speaks: its own, or the last reply to a question."""
    return (reply_of(state) or request_of(state)).request_id


def asked_in(state: TurnState) -> Clarification:
    """The question back of this turn, in words."""
    asked = clarification_of(state)
    question = asked.get("question", "")
    if asked.get("approves") and not asked.get("cards"):
        # From before there were cards: below its first line the calls stand as Markdown.
        question = question.partition("\n")[0]
    return Clarification(
        question,
        tuple(asked.get("choices", ())),
        only_choices=asked.get("only_choices", False),
    )


def is_no_answer(message: IncomingMessage, state: TurnState) -> bool:
    """Whether a message surely does not answer the question of this turn.

    What to do with something that came without words is said in words, and so is what an approval
    is to change: a photo, a file or a link is new, and the newest is what a message is about.
    """
    wants_words = bool(clarification_of(state).get("approves")) or not bare_words(
        question_of(state)
    )
    return is_another_request(message, asked_in(state), wants_words=wants_words)


def lacks_question(state: TurnState) -> bool:
    """Whether images or files came and surely nothing says what for: no word here or before.

    Where something was said before, the planner tells whether that was for these.
    """
    if clarification_of(state) or unseen_of(state) or history_of(state):
        return False
    reply = input_of(state).reply
    said = [words_of(state), reply.text if reply else "", reply.quote if reply else ""]
    came = images_of(state) or state.get("files", {}).get("read")
    return bool(came) and not any(map(bare_words, said))


def about_what_came(state: TurnState) -> Clarification:
    """Ask what to do with links, files or an image that came without a question."""
    if input_of(state).is_only_links:
        return about_links(state)
    return about_files(state) if state.get("files", {}).get("read") else about_image(state)


def about_files(state: TurnState) -> Clarification:
    """Ask what to do with files that came alone: they are named, likely wishes offered."""
    locale, read = locale_of(state), state["files"]["read"]
    names = ", ".join(shorten(file["name"], _NAME_LENGTH) for file in read)
    topics = ("summary", "points")
    return Clarification(
        say(locale, "ask-about-files", names=names, count=len(read)),
        tuple(say(locale, f"file-topic-{topic}") for topic in topics),
    )


def about_image(state: TurnState) -> Clarification:
    """Ask what to do with an image that came alone: it is named, likely wishes offered."""
    locale, seen = locale_of(state), ImageSummary.from_json(state["vision"]["summary"])
    named = shorten(seen.summary, _SEEN_LENGTH)
    return Clarification(
        say(locale, "ask-about-image", seen=named),
        tuple(say(locale, f"image-topic-{topic}") for topic in image_topics(seen)),
    )


def wanted_by(routing: Routing, state: TurnState) -> ClarificationState:
    """The question that the plan asks for first, {} for none; one in a turn is enough."""
    if clarification_of(state) or routing.clarification is None:
        return clarification_of(state)
    # What is seen says better what may be wanted than a model that has not seen it.
    came = state["vision"].get("summary") or state.get("files", {}).get("read")
    is_bare = came and not bare_words(words_of(state))
    asked = about_what_came(state) if is_bare else in_bounds(routing.clarification)
    if asked is None:
        return {}
    return {"status": "wanted", "question": asked.question, "choices": list(asked.choices)}


def is_dropped_by(routing: Routing, state: TurnState) -> bool:
    """Whether the plan takes what came for another request than the answer that was awaited."""
    asked = clarification_of(state)
    # A wish to forget has to be confirmed, and one question in a turn is enough.
    is_other = routing.is_new_request or routing.forget is not None
    if not is_other or asked.get("status") != "answered":
        return False
    reply = read_request(asked["reply"])
    return not reply.answers and not answers_by_choice(reply.message.text, asked_in(state))
