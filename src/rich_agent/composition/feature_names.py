"""Checks the parts of a feature, and its names against those of the core and of other features."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from starlette.routing import Route

from rich_agent.chat_commands.menu import FOR_ADMINS, FOR_ALL
from rich_agent.composition.feature_joining import join_parts
from rich_agent.domain.media import MEDIA_KINDS
from rich_agent.feature import Feature
from rich_agent.feature.panels import Panel
from rich_agent.feature.parts import Parts
from rich_agent.phrases import say
from rich_agent.ports.approvals import APPROVAL_WORK, NOTICE_KIND
from rich_agent.ports.memories import LESSON_WORK
from rich_agent.ports.runs import RUN_WORK
from rich_agent.telegram.receive.webhook_health import WEBHOOK_PATH
from rich_agent.web.addresses import paths_meet

CORE_PATHS = (
    *("/healthz", "/health", "/readyz", "/metrics", WEBHOOK_PATH),
    *("/passages/{passage_id}", "/pages/{path:path}"),
)
"""Addresses of the core's own routes over HTTP."""
CORE_TOOLS = frozenset(
    {
        *("undo_last_change", "list_files", "search_documents", "search_web"),
        "request_more_information",
    }
)
"""The core's own tools, by all names that a model may call them by."""
CORE_BUTTONS = frozenset(
    {
        *("adjust", "answer", "approve", "ask", "command", "correct"),
        *("endtool", "endtools", "file", "files", "forget", "keep", "keepfiles", "language"),
        *("memory", "passage", "rate", "reject", "sources", "space", "stop"),
        *("tools", "undo", "unlearn", "why", "zone"),
    }
)
"""Verbs of the core's own buttons, without the numbers at their ends."""
_CORE_WORK = frozenset(
    {
        *(APPROVAL_WORK, LESSON_WORK),
        *(NOTICE_KIND, RUN_WORK, "stream", "history"),
    }
)
"""The core's own kinds of work, due or in the inbox: one set, because a letter has the kind too."""
_CALLED = (
    *("commands", "presses", "notices", "loops", "dated_entries", "zone_moves", "below_answer"),
    *("start_codes", "passages", "follow_ups", "checks", "open_pages", "recorded_turns", "ratings"),
    "memberships",
)


def check_parts(parts: Parts) -> None:
    """Refuse parts that the core cannot join or serve. Raises: Exception, of many types."""
    for one in fields(Parts):
        value, kind = getattr(parts, one.name), Sequence if one.default == () else Mapping
        if not isinstance(value, kind) or isinstance(value, str):
            raise TypeError(f"`{one.name}` of its parts is no {kind.__name__.lower()}")
    for name in _CALLED:
        values = getattr(parts, name)
        if not all(map(callable, values.values() if isinstance(values, Mapping) else values)):
            raise TypeError(f"one of `{name}` of its parts cannot be called")
    for sign_in in parts.sign_ins:
        for name in ("comes_from_browsers", "hint", "secret_of", "holder"):
            getattr(sign_in, name)
    _check_links(parts)
    if not all(isinstance(panel, Panel) for panel in parts.panels):
        raise TypeError("one of `panels` of its parts is no Panel")
    for guarded_route in parts.routes:
        Route(guarded_route.path, guarded_route.app)
    for route in parts.open_routes:
        Route(route.path, route.answer, methods=[*route.methods])
    join_parts({"": parts})


def _check_links(parts: Parts) -> None:
    for link in parts.sign_in_links:
        link.path_to(link.words("en"))
    for page_link in parts.page_links:
        say("en", page_link.words_key)
    for phrases in parts.sign_in_phrases:
        say("en", phrases.alone)
        say("en", phrases.after_links)
    for key in parts.privacy_phrases:
        say("en", key)


def check_names(feature: Feature, parts: Parts, parts_by_name: Mapping[str, Parts]) -> None:
    """Refuse what another feature or the core has already, and names that do not fit.

    Raises: ValueError.
    """
    _check_core_names(parts)
    menu_names = {entry.name for entry in feature.menu}
    for kind in set[str](parts.media) - {*MEDIA_KINDS}:
        raise ValueError(f"the kind of message {kind} is none of {', '.join(MEDIA_KINDS)}")
    for name in parts.commands.keys() - menu_names:
        raise ValueError(f"the command {name} has no entry in the menu")
    for kind in sorted(parts.work.keys() & parts.notices.keys()):
        raise ValueError(f"{kind} is a kind of work and of notices")
    for kind in _work_kinds(parts):
        if not kind.startswith(feature.name):
            raise ValueError(f"the kind of work {kind} does not begin with {feature.name}")
    _check_paths(parts, parts_by_name)
    for other, theirs in parts_by_name.items():
        for kind, own, others in (
            (
                "search engine",
                {one.name for one in parts.search},
                {one.name for one in theirs.search},
            ),
            ("tool", _names_of_tools(parts), _names_of_tools(theirs)),
            ("command", parts.commands.keys(), theirs.commands.keys()),
            ("button", parts.presses.keys(), theirs.presses.keys()),
            ("kind of session", _templates_of(parts), _templates_of(theirs)),
            ("kind of work", _work_kinds(parts), _work_kinds(theirs)),
            ("kind of message", parts.media.keys(), theirs.media.keys()),
            ("panel", {one.name for one in parts.panels}, {one.name for one in theirs.panels}),
        ):
            if both := sorted(own & others):
                raise ValueError(f"the {kind} {both[0]} belongs to {other}")


def _check_core_names(parts: Parts) -> None:
    """Refuse the names of the core's own. Raises: ValueError."""
    verbs = {verb.rstrip("0123456789") for verb in parts.presses}
    for kind, names, core_names in (
        ("tool", _names_of_tools(parts), CORE_TOOLS),
        ("command", parts.commands.keys(), {*FOR_ALL, *FOR_ADMINS}),
        ("button", verbs, CORE_BUTTONS),
        ("kind of work", _work_kinds(parts), _CORE_WORK),
    ):
        if both := sorted(names & core_names):
            raise ValueError(f"the {kind} {both[0]} is the core's")


def _work_kinds(parts: Parts) -> set[str]:
    return {*parts.work, *parts.notices}


def _names_of_tools(parts: Parts) -> set[str]:
    return {name for tool in parts.tools for name in (tool.name, *tool.aliases)}


def _check_paths(parts: Parts, parts_by_name: Mapping[str, Parts]) -> None:
    """Refuse addresses that would answer in place of another's. Raises: ValueError."""
    holders = {
        "core": CORE_PATHS,
        **{name: tuple(_paths(one)) for name, one in parts_by_name.items()},
    }
    for path in _paths(parts):
        if not path.startswith("/"):
            raise ValueError(f"the address {path} does not begin with a slash")
        for holder, others in holders.items():
            if any(paths_meet(path, other) for other in others):
                raise ValueError(f"the address {path} belongs to {holder}")


def _paths(parts: Parts) -> Iterator[str]:
    yield from (route.path for route in parts.routes)
    yield from (route.path for route in parts.open_routes)


def _templates_of(parts: Parts) -> set[str]:
    return {name for lead in parts.session_leads for name in lead.templates}
