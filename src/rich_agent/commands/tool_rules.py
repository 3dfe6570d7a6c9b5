"""Rules of tools in words, and why a call would be run, asked for or refused."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.rules import EFFECTS, EVERY, Rule, Ruling, SpentToday, Why, most_a_day
from rich_agent.domain.tools import Effect, Policy
from rich_agent.domain.value_texts import values_in
from rich_agent.domain.words import Origin, Words
from rich_agent.errors import RichAgentError

_EXAMPLE = (
    '{"tool": "search_web", "arguments": {"query": "Bo"}, "said": "Read this page", '
    '"read": [{"origin": "page", "name": "example.org", "text": "Search the web for Bo"}]}'
)
_POLICIES: Mapping[Policy, str] = {
    "auto": "runs at once",
    "ask": "asks first",
    "deny": "does not run",
    "refused": "was refused",
}
REASONS: Mapping[Why, str] = {
    "effect": "that is the rule for what the tool does",
    "operator": "TOOL_POLICIES says so",
    "unattended": "nobody is there, so only reading is allowed",
    "session": "in a guided session, every change asks",
    "several": "several changes at once ask, unless the user said all words of them",
    "strangers": "others' words are in the prompt, and the user's message does not give the call",
    "given": "the user's message gives the call, and others' words do not",
    "provided": "what was read is the operator's or the user's own, and the call writes none of it",
    "planned": "the user's words alone led to the call, and what they named is as they named it",
    "carries": "it would carry off what the user did not say in this message",
    "leads": "it leads to an address that the user did not name in this message",
    "rate": "the tool was called as often in 24 hours as it may be unasked",
    "sum": "it would raise the sum of an argument in 24 hours above its bound",
    "permitted": "the user permitted it for good",
}


class _Read(BaseModel):
    """A text that the prompt holds."""

    model_config = ConfigDict(extra="forbid")

    origin: Origin
    name: str = ""
    text: str = ""

    def words(self) -> Words:
        """The text with its author."""
        return Words(self.text, self.origin, self.name)


class _Called(BaseModel):
    """The calls of the tool in the last 24 hours."""

    model_config = ConfigDict(extra="forbid")

    calls: int = 0
    sums: dict[str, float] = Field(default_factory=dict)


class _Planned(BaseModel):
    """The call as it was planned from the user's words alone."""

    model_config = ConfigDict(extra="forbid")

    fixed: dict[str, list[str]] = Field(default_factory=dict)
    written: list[str] = Field(default_factory=list)
    repeats: bool = False


class SupposedCall(BaseModel):
    """A call as it might be made: the tool, its arguments, the texts in sight, what came before.

    `permitted` are the arguments of calls of the tool that the user permitted for good.
    """

    model_config = ConfigDict(extra="forbid")

    tool: str
    arguments: dict[str, Any] = Field(default_factory=dict)
    said: str = ""
    read: list[_Read] = Field(default_factory=list)
    in_session: bool = False
    is_unattended: bool = Field(default=False, alias="unattended")
    called: _Called = Field(default_factory=_Called)
    permitted: list[dict[str, Any]] = Field(default_factory=list)
    plan: _Planned | None = None

    @property
    def calls_today(self) -> SpentToday:
        """The calls of the tool before this one."""
        return SpentToday(self.called.calls, self.called.sums)

    @property
    def calls_of_plan(self) -> tuple[PlannedCall, ...]:
        """The plan, for this tool."""
        if (plan := self.plan) is None:
            return ()
        return (PlannedCall(self.tool, plan.fixed, frozenset(plan.written), plan.repeats),)

    @property
    def others(self) -> tuple[Words, ...]:
        """The words in sight that the message does not hold."""
        return tuple(one.words() for one in self.read)


def supposed_call(text: str) -> SupposedCall:
    """The call that is written as JSON. Raises: RichAgentError."""
    try:
        return SupposedCall.model_validate_json(text)
    except ValidationError as error:
        first_error = error.errors(include_input=False, include_url=False)[0]
        where = ".".join(map(str, first_error["loc"])) or "the call"
        raise RichAgentError(
            f"{where}: {first_error['msg']}", hint=f"Write it as {_EXAMPLE}"
        ) from error


def rule_in_words(effect: Effect, rule: Rule) -> str:
    """The conditions of a tool's rule in words, "" if the rule has none."""
    return "; ".join(_parts(effect, rule))


def _parts(effect: Effect, rule: Rule) -> Iterator[str]:
    if rule.never_asks:
        return
    if EFFECTS[effect].alone == "auto" and EFFECTS[effect].if_foreign == "ask":
        is_own = EFFECTS[effect].may_be_planned
        yield (
            "where others' words are read, the user's message has to ask for it"
            if is_own
            else "asks where others' words are read"
        )
    if effect == "foreign" and rule.user_provided:
        provided_arguments = _argument_list(rule.user_provided)
        yield f"where others' words are read, {provided_arguments} must be the user's"
    for name, value in rule.asks.items():
        yield f"{name} {value} is asked for then"
    if rule.recurrence:
        yield "what comes again is asked for then, unless the message asks for it again and again"
    if rule.sends:
        yield f"{_argument_list(rule.sends)} must not carry off what the user keeps"
    if (most := most_a_day(effect, rule)) is not None:
        yield f"after {most} calls in 24 hours it asks"
    for name, limit in rule.sums.items():
        yield f"once {name} comes to more than {limit:g} in 24 hours it asks"


def _argument_list(names: Sequence[str]) -> str:
    return "every argument" if tuple(names) == EVERY else ", ".join(names)


def explanation(call: SupposedCall, ruling: Ruling) -> list[str]:
    """The ruling on a call in sentences, then each argument with whose words it holds."""
    whose = f" ({_origin_names(ruling.whose)})" if ruling.whose else ""
    provenance = PromptProvenance(call.said, call.others)
    lines = [f"{call.tool} {_POLICIES[ruling.policy]}: {REASONS[ruling.why]}{whose}."]
    if ruling.lasting:
        lines.append("  the user can permit it for good.")
    for name, value in call.arguments.items():
        origins = dict.fromkeys(
            one for text in values_in(value) for one in provenance.origins(text)
        )
        lines.append(f"  {name}: {_origin_names(tuple(origins)) or 'the words of nobody in sight'}")
    return lines


def _origin_names(words: Sequence[Words]) -> str:
    return ", ".join(f"{one.origin} {one.name}".strip() for one in words)
