"""Routing by rules alone: what needs no planning call, and what to do when there is no plan."""

from rich_agent.domain.routing.plan import GENERAL, SMALLTALK, Routing
from rich_agent.domain.routing.small_talk import SmallTalk, small_talk

# What may be the answer to a question that the bot asked just before.
_MAY_ANSWER: frozenset[SmallTalk] = frozenset({"number", "reaction"})

FILE_REFUSED = Routing(GENERAL, "direct", web="never", rule="file_refused", teaches=False)
"""The routing of a message whose files cannot be read: the user is told what to do."""
IN_SESSION = Routing(GENERAL, "direct", web="never", rule="in_session", acts=True)
"""The routing of every message of a guided session: its model decides what to look up."""


def route_by_rule(text: str, *, was_asked: bool = False) -> Routing | None:
    """The routing of what needs no planning call, or None when a model has to plan.

    Small talk is answered directly. A number or an emoji after a question of the bot (`was_asked`)
    may answer that, which a model has to say.
    """
    kind = small_talk(text)
    if kind is None or (was_asked and kind in _MAY_ANSWER):
        return None
    intent = GENERAL if kind == "number" else SMALLTALK
    return Routing(intent, "direct", rule=kind, teaches=False)


def route_known_word(text: str) -> Routing:
    """The routing of one word that stands in the registered documents: they are searched for it."""
    query = text.strip()
    return Routing(GENERAL, "rag", query=query, web="never", rule="known_word", teaches=False)


def route_without_plan(text: str) -> Routing:
    """The routing when no model gave a plan: the documents, for the text as it stands.

    Nobody has judged whether the text is private, so the web is not searched.
    """
    return Routing(GENERAL, "rag", query=text.strip(), web="never", rule="no_plan")
