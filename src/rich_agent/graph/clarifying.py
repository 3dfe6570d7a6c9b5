"""When the user is asked back, and what they are asked, as far as rules can tell."""

from typing import Any

from rich_agent.domain.clarification import (
    announces_image,
    answers_by_choice,
    asks_nothing,
    image_topics,
    in_bounds,
    points_nowhere,
)
from rich_agent.domain.plan import GENERAL, Clarification, Routing
from rich_agent.domain.text import shorten
from rich_agent.domain.vision import ImageSummary
from rich_agent.graph.state import ClarificationState, TurnState
from rich_agent.graph.views import history_of, images_of, locale_of, unseen_of, words_of
from rich_agent.phrases import say

_SEEN_LENGTH = 200
_QUOTED_LENGTH = 60


def clarification_of(state: TurnState) -> ClarificationState:
    """The question back of this turn, {} without one."""
    return state.get("clarification") or {}


def asked_in(state: TurnState) -> Clarification:
    """The question back of this turn, in words."""
    asked = clarification_of(state)
    return Clarification(
        asked.get("question", ""),
        tuple(asked.get("choices", ())),
        only_choices=asked.get("only_choices", False),
    )


def lacks_question(state: TurnState) -> bool:
    """Whether images came and nothing says what for: no words here, in the reply or before."""
    if clarification_of(state) or not images_of(state) or unseen_of(state):
        return False
    if not asks_nothing(words_of(state)):
        return False
    reply = state["input"].get("reply_context")
    if reply and not asks_nothing(f"{reply['text']} {reply.get('quote', '')}"):
        return False
    said = [text for role, text in history_of(state) if role == "user"]
    return not (said and announces_image(said[-1]))


def lacks_subject(state: TurnState) -> bool:
    """Whether the words only point back and there is nothing that they could point at."""
    received = state["input"]
    return (
        points_nowhere(words_of(state))
        and not clarification_of(state)
        and not images_of(state)
        and not received.get("reply_context")
        and not received.get("forwarded")
        and not state["memory"].get("conversation_summary")
        and not history_of(state)
    )


def about_subject(state: TurnState) -> Routing:
    """The question back when there is nothing that the words could point at."""
    said = shorten(words_of(state), _QUOTED_LENGTH)
    return Routing(
        GENERAL,
        "direct",
        clarification=Clarification(say(locale_of(state), "ask-subject", text=said)),
        rule="no_subject",
        teaches=False,
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
    asked = in_bounds(routing.clarification)
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
    reply: dict[str, Any] = asked["reply"]
    return not reply.get("answers") and not answers_by_choice(reply["text"], asked_in(state))
