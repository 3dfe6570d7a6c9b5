"""Words for codes of the program that pages show: actions, kinds of work, steps, roles.

A code of a feature is said by the feature's own phrase, which its shape tells: `persona.apply`
is `persona-apply`. One without a phrase is shown as it is.
"""

from collections.abc import Mapping
from typing import Final

from rich_agent.feature.connectors import SOURCE_WORK
from rich_agent.feature.pages import Visit
from rich_agent.features.operator_pages.roles import ROLES

_PREFIX = "operator_pages-"
_EMPTY_VALUE = " \u2068\u2069"
"""A value that is left empty, with its isolates in text from right to left."""
_ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "access.allow": ("people", "admit"),
    "access.block": ("people", "block"),
    "approval.decide": ("work", "approvals"),
    "invite.make": ("people", "invite"),
    "invite.use": ("people", "invite-link"),
    "invite.withdraw": ("people", "withdraw"),
    "knowledge.add": ("knowledge", "knowledge-add-address"),
    "knowledge.connect": ("knowledge", "knowledge-connect"),
    "knowledge.file": ("knowledge", "knowledge-remove"),
    "knowledge.look": ("knowledge", "knowledge-look"),
    "knowledge.read": ("knowledge", "knowledge-read-now"),
    "knowledge.remove": ("knowledge", "knowledge-remove"),
    "knowledge.schedule": ("knowledge", "knowledge-every"),
    "knowledge.search_as": ("knowledge", "knowledge-search-as"),
    "knowledge.space": ("knowledge", "knowledge-space"),
    "knowledge.status": ("knowledge", "knowledge-state"),
    "knowledge.upload": ("knowledge", "knowledge-upload"),
    "letter.drop": ("letters", "drop"),
    "letter.replay": ("letters", "replay"),
    "question.ask_again": ("quality", "ask-again"),
    "question.assign": ("quality", "assignee"),
    "question.state": ("quality", "state"),
    "role.give": ("people", "role-give"),
    "settings.change": ("settings", "save"),
    "settings.unset": ("settings", "unset"),
    "space.grant": ("knowledge-spaces", "knowledge-reader"),
    "space.member": ("knowledge-spaces", "knowledge-readers"),
    "space.remove": ("knowledge-spaces", "knowledge-remove"),
    "space.revoke": ("knowledge-spaces", "knowledge-readers"),
    "work.retry": ("due", "do-now"),
}
"""The heading under which each action is done, and the words on its button."""
_WORK: Final[Mapping[str, str]] = {
    "approval": "approvals",
    "run": "turns",
    **dict.fromkeys(SOURCE_WORK.values(), "knowledge-read-now"),
}
"""The phrase of each kind of due work of the core."""


def say_action(action: str, visit: Visit) -> str:
    """An action of the audit as its heading and its button: "People · Let in"."""
    if action in _ACTIONS:
        return " · ".join(visit.say(_PREFIX + key) for key in _ACTIONS[action])
    area, _, verb = action.partition(".")
    words = visit.say_if_known(f"{area}-{verb}")
    title = visit.say_if_known(f"{area}-title")
    return " · ".join(filter(None, (title, words))) if words else action


def say_role(role: str, visit: Visit) -> str:
    """A role of the pages in words."""
    return visit.say(f"operator_pages-role-{role}") if role in ROLES else role


def say_work(kind: str, visit: Visit) -> str:
    """A kind of due work in words, as the feature that it begins with says it."""
    if kind in _WORK:
        return visit.say(_PREFIX + _WORK[kind])
    parts = kind.split("_")
    keys = ["_".join(parts[:n]) + "-" + "-".join(parts[n:]) for n in range(1, len(parts))]
    keys.append(f"{kind}-page")
    return next(filter(None, map(visit.say_if_known, keys)), kind)


def say_step(node: str, visit: Visit) -> str:
    """A step of an answer in words."""
    words = visit.say_if_known(f"step-{node}", seconds="").strip(_EMPTY_VALUE)
    return words or node.replace("_", " ")
