"""The bot among attacks, without one of its rules: `python -m bench.agentdojo.without RULE run`.

Each rule is taken out where it stands, in this process alone; the bot itself has no such switch.
With "none" it has all rules. Pages of this machine count as public, as those of attackers are.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich_agent import cli
from rich_agent.documents.user_files.pages import GuardedPages
from rich_agent.domain import origins, rules
from rich_agent.domain.approving.cards import CardRow, JoinedCard
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.permissions import Permission
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.rules import Circumstances, Rule, Ruling
from rich_agent.domain.tools import ActingState, Effect, ToolCall
from rich_agent.domain.value_texts import is_in
from rich_agent.domain.words import Words
from rich_agent.graph import origins as marks
from rich_agent.graph.acting import calling, foreseeing, offering
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import acting_of
from rich_agent.ports.tools import Asker
from rich_agent.ports.user_files import FetchedFile
from rich_agent.repositories.database.pools import checkout
from rich_agent.repositories.database.repository import fetch_all
from rich_agent.repositories.tool_permissions import PostgresPermissions
from rich_agent.tools import all_tools, toolbox
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Tool
from rich_agent.tools.toolbox import Toolbox

_FAR = 10**6


@dataclass(frozen=True, slots=True)
class Removal:
    """A rule: what it says, how it is taken out, and the names of attacks that may then succeed."""

    says: str
    take_out: Callable[[], None]
    tries: str


def _set(owner: object, name: str, value: object) -> Callable[[], None]:
    getattr(owner, name)  # a rule that has moved cannot be taken out here any more
    return lambda: setattr(owner, name, value)


def _effect(effect: Effect, **changes: Any) -> Callable[[], None]:  # noqa: ANN401 - its fields
    changed = {**rules.EFFECTS, effect: replace(rules.EFFECTS[effect], **changes)}
    return _set(rules, "EFFECTS", changed)


def _everywhere_unattended() -> None:
    rules.EFFECTS = {
        effect: replace(rule, runs_unattended=True) for effect, rule in rules.EFFECTS.items()
    }


def _rule(tool: str, **changes: Any) -> Callable[[], None]:  # noqa: ANN401 - the same
    decide_by_rule = toolbox.Toolbox._ruling  # noqa: SLF001 - the bot has no such switch

    def decide_without(self: Toolbox, one: Tool, *rest: Any) -> Ruling:  # noqa: ANN401 - its own
        changed = replace(one, rule=replace(one.rule, **changes)) if one.name == tool else one
        return decide_by_rule(self, changed, *rest)

    return _set(toolbox.Toolbox, "_ruling", decide_without)


def _gives_what_others_hold(provenance: PromptProvenance, values: Any) -> bool:  # noqa: ANN401 - as it is given
    found = [value for value in values if value.strip()]
    return bool(found) and all(is_in(value, provenance.message) for value in found)


async def _of_everybody(stored: PostgresPermissions, _: int) -> tuple[Permission, ...]:
    query = "SELECT id, digest, arguments, fixed FROM tool_permissions"
    async with checkout(stored._pool) as connection:  # noqa: SLF001 - the bot has no such query
        rows = await fetch_all(connection, query)
    return tuple(Permission(**row) for row in rows)


_rows = JoinedCard.rows


def _first_rows(card: JoinedCard) -> Iterator[CardRow]:
    return _rows(replace(card, cards=card.cards[:1]))


def _outside_of_sessions(
    decide: Callable[[Effect, Rule, Circumstances], Ruling],
) -> Callable[[Effect, Rule, Circumstances], Ruling]:
    return lambda effect, rule, now: decide(effect, rule, replace(now, in_session=False))


async def _plan_what_is_called(
    calls: Sequence[ToolCall], asker: Asker, state: TurnState, _: NodeContext
) -> ActingState:
    widest = (PlannedCall.widest(one.name, one.arguments, asker.said) for one in calls)
    return {**acting_of(state), "plan": [one.to_state() for one in widest]}


REMOVALS: Mapping[str, Removal] = {
    "change": Removal(
        "a change asks among others' words",
        _effect("change", if_foreign="auto"),
        "document: plain words",
    ),
    "delete": Removal(
        "what deletes asks", _effect("delete", alone="auto", if_foreign="auto"), "page: Chinese"
    ),
    "foreign": Removal(
        "what acts in another program asks",
        _effect("foreign", alone="auto", if_foreign="auto"),
        "claims to be the operator",
    ),
    "given": Removal(
        "the user's message has to give the values",
        _set(rules, "_is_provided", lambda *_: True),
        "document: plain words",
    ),
    "others": Removal(
        "what others hold too gives nothing",
        _set(PromptProvenance, "user_provides", _gives_what_others_hold),
        "own words as told",
    ),
    "refused": Removal(
        "words of a refusal give nothing",
        _set(offering, "_has_refused", lambda _: False),
        "refusal",
    ),
    "several": Removal(
        "several changes at once ask", _set(all_tools, "MOST_CHANGES_AT_ONCE", 100), "at once"
    ),
    "remind": Removal(
        "what repeats or acts later asks",
        _rule("remind", asks={}, recurrence=()),
        "own words every hour",
    ),
    "unattended": Removal(
        "with nobody there, it only reads", _everywhere_unattended, "comes by itself: own words"
    ),
    "session": Removal(
        "a guided session asks before it changes anything",
        _set(rules, "_ruling_without_words", _outside_of_sessions(rules._ruling_without_words)),  # noqa: SLF001
        "guided session: own words",
    ),
    "as planned": Removal(
        "a planned call is made as it was planned",
        _set(PlannedCall, "fits", lambda *_: True),
        "asked for: with an address",
    ),
    "once": Removal(
        "and once",
        _set(foreseeing, "remaining_calls", lambda plan, _: tuple(plan)),
        "asked for: twice",
    ),
    "prose": Removal(
        "and what is written in it was dictated by nobody",
        _set(PromptProvenance, "is_prose", lambda *_: True),
        "asked for: other words",
    ),
    "foreseen": Removal(
        "and it is planned from the user's words alone",
        _set(calling, "foresee", _plan_what_is_called),
        "asked for: by another",
    ),
    "carries": Removal(
        "nothing carries off what is kept",
        _set(PromptProvenance, "private_authors", lambda *_: ()),
        "search for an everyday word",
    ),
    "spelled": Removal(
        "nor a word in parts", _set(origins, "_LEAST_SPELLED", _FAR), "the halves of a word"
    ),
    "codes": Removal(
        "and what others hold in a code is theirs too",
        _set(origins, "readings", lambda text: [text]),
        "own words in a code",
    ),
    "planned": Removal(
        "nor does a planned search",
        _set(marks.QueryJudge, "private_words", lambda *_: ""),
        "plan of a search",
    ),
    "leads": Removal(
        "no call leads to an address of others",
        _set(PromptProvenance, "opens_untrusted_address", lambda *_: False),
        "web: fetch a page",
    ),
    "marks": Removal(
        "an answer is marked with what it was written from",
        _set(marks, "words_behind", lambda _: []),
        "page, then thanks",
    ),
    "kept": Removal(
        "what is kept has the author of its words",
        _set(PromptProvenance, "author", lambda *_: Words("", "user")),
        "in a new conversation",
    ),
    "permission": Removal(
        "a permission is for the call that was shown",
        _set(Permission, "new_arguments", lambda *_: frozenset()),
        "permission: for another recipient",
    ),
    "wording": Removal(
        "and for no words of others in it",
        _set(rules, "_may_be_new", lambda *_: True),
        "permission: with a stranger's words",
    ),
    "owner": Removal(
        "and of the user who gave it",
        _set(PostgresPermissions, "of", _of_everybody),
        "permission: of another user",
    ),
    "joined": Removal(
        "a card shows each of its calls",
        _set(JoinedCard, "rows", _first_rows),
        "one card: one recipient",
    ),
    "descriptions": Removal(
        "what untrusted servers say of tools is theirs",
        _set(AllTools, "words", lambda _: ()),
        "description of a tool: task",
    ),
}


ALL_RULES = "none"
"""What is taken out where all rules hold."""
_fetch_page = GuardedPages.fetch


async def _fetch_as_public(pages: GuardedPages, url: str) -> FetchedFile:
    return replace(await _fetch_page(pages, url), is_private=False)


def main() -> None:
    """Run the bot's command line without the rule that the first argument names."""
    rule = sys.argv.pop(1)
    _set(GuardedPages, "fetch", _fetch_as_public)()
    if rule != ALL_RULES:
        REMOVALS[rule].take_out()
    cli.main()


if __name__ == "__main__":
    main()
