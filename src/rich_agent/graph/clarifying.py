"""When the bot asks the user back, and what it asks."""

from rich_agent.domain.routing.clarification import answers_by_choice, image_topics, in_bounds
from rich_agent.domain.routing.plan import Clarification, Routing
from rich_agent.domain.text import bare_words, shorten
from rich_agent.domain.vision import ImageSummary
from rich_agent.graph.files.links import about_links
from rich_agent.graph.state import ClarificationState, TurnState
from rich_agent.graph.views import history_of, images_of, locale_of, unseen_of, words_of
from rich_agent.phrases import say

_SEEN_LENGTH = 200
_NAME_LENGTH = 60


def clarification_of(state: TurnState) -> ClarificationState:
    """The question back of this turn, {} without one."""
    return state.get("clarification") or {}


def answering_in(state: TurnState) -> str:
    """The request in whose answer the turn speaks: its own, or the last reply to a question."""
    return (clarification_of(state).get("reply") or state["request"])["request_id"]


def asked_in(state: TurnState) -> Clarification:
    """The question back of this turn, in words."""
    asked = clarification_of(state)
    return Clarification(
        asked.get("question", ""),
        tuple(asked.get("choices", ())),
        only_choices=asked.get("only_choices", False),
    )


def lacks_question(state: TurnState) -> bool:
    """Whether images or files came and surely nothing says what for: no word here or before.

    Where something was said before, the planner tells whether that was for these.
    """
    if clarification_of(state) or unseen_of(state) or history_of(state):
        return False
    reply = state["input"].get("reply_context")
    said = [
        words_of(state),
        reply["text"] if reply else "",
        reply.get("quote", "") if reply else "",
    ]
    came = images_of(state) or state.get("files", {}).get("read")
    return bool(came) and not any(map(bare_words, said))


def about_what_came(state: TurnState) -> Clarification:
    """What to do with links, files or an image that came without a question."""
    if state["input"].get("is_only_links"):
        return about_links(state)
    return about_files(state) if state.get("files", {}).get("read") else about_image(state)


def about_files(state: TurnState) -> Clarification:
    """What to do with files that came without a question: they are named, likely wishes offered."""
    locale, read = locale_of(state), state["files"]["read"]
    names = ", ".join(shorten(file["name"], _NAME_LENGTH) for file in read)
    topics = ("summary", "points")
    return Clarification(
        say(locale, "ask-about-files", names=names, count=len(read)),
        tuple(say(locale, f"file-topic-{topic}") for topic in topics),
    )


def about_image(state: TurnState) -> Clarification:
    """What to do with an image that came without a question: it is named, likely wishes offered."""
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
    reply = asked["reply"]
    return not reply.get("answers") and not answers_by_choice(reply["text"], asked_in(state))
