"""Rules for tools: which calls run at once, which need the user's approval, which never run.

The rules hold whatever a model says. A rule checks where a call's values were copied from, never
what the values mean.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal, Self

from rich_agent.domain.approving.user_words import is_made_of, names_place
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.outgoing.addresses import FORMATS, have_new_address
from rich_agent.domain.permissions import Permission
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.tools import Effect, Policy
from rich_agent.domain.value_texts import is_in, texts_in, values_in
from rich_agent.domain.words import Words

EVERY = ("*",)
"""All arguments of a call, including arguments that the schema lacks."""


@dataclass(frozen=True, slots=True)
class EffectRule:
    """The rule for all tools of one effect."""

    alone: Policy
    """Policy while the prompt has no text of others, and the operator has set none."""
    if_foreign: Policy
    """Policy while the prompt has text of others, and the user's message does not provide the
    call."""
    may_be_auto: bool = True
    """Whether the operator can set the policy "auto"."""
    may_be_planned: bool = False
    """Whether a call runs at once if it was planned from the user's message alone."""
    trusts_provided: bool = False
    """Whether a call runs at once next to documents of the operator and files of the user, as long
    as it writes none of their text."""
    runs_unattended: bool = False
    """Whether the tool also runs in a turn that no user has just asked for."""
    most_a_day: int | None = None
    """Calls in 24 hours that run at once; each further call asks. None: no limit."""
    permission_cap: int = 0
    """Calls in 24 hours that permanent permissions let run; 0: no such permission is offered."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for one tool. "Next to text of others" means that the prompt holds such text."""

    user_provided: tuple[str, ...] = ()
    """Arguments whose values must stand in the user's message, or the call asks next to text of
    others. With no such arguments, every call asks then."""
    writes: tuple[str, ...] = EVERY
    """Arguments that hold text. In a planned change next to untrusted text, their text must consist
    of the user's words."""
    asks: Mapping[str, str] = field(default_factory=dict)
    """Part of a value, by argument, with which a call always asks next to text of others."""
    places: tuple[str, ...] = ()
    """Arguments with a place. Next to text of others, the user's message must name the place."""
    recurrence: tuple[str, ...] = ()
    """Arguments that make something repeat. Next to text of others, the user must have requested
    the repetition."""
    never_asks: bool = False
    """Whether the tool asks only if the operator has set "ask"."""
    sends: tuple[str, ...] = ()
    """Arguments that leave the program. The call asks if they carry private text that the user's
    message does not hold, or an address that it does not name."""
    to: str = ""
    """Server that gets the arguments, "" for the web search."""
    own: str = ""
    """The server's description of the tool."""
    schema_names: frozenset[str] = frozenset()
    """Names of arguments in the server's schema."""
    addresses: frozenset[str] = frozenset()
    """Arguments whose format in the schema is that of an address."""
    most_a_day: int | None = None
    """Calls in 24 hours that run at once, instead of the limit of the effect."""
    sums: Mapping[str, float] = field(default_factory=dict)
    """Limit for the sum of a numeric argument over 24 hours, signs ignored. A call asks if it would
    exceed the limit, or if the value is no number."""

    @classmethod
    def of_own_texts(cls, *names: str, **more: Any) -> Self:  # noqa: ANN401 - fields of the rule
        """The rule of a tool that stores texts, which must be the user's own words."""
        return cls(user_provided=names, writes=names, **more)


EFFECTS: Mapping[Effect, EffectRule] = MappingProxyType(
    {
        "read": EffectRule("auto", "auto", runs_unattended=True),
        "change": EffectRule("auto", "ask", may_be_planned=True, trusts_provided=True),
        "delete": EffectRule("ask", "ask", may_be_auto=False),
        "foreign": EffectRule("ask", "ask", may_be_planned=True, most_a_day=50, permission_cap=10),
        "session": EffectRule("auto", "ask"),
    }
)
OF_EFFECT = Rule()
"""The rule of a tool that has none of its own."""
MOST_CHANGES_AT_ONCE = 1
"""Changes at once that run without asking. More changes ask if one of them writes words that the
user did not say. Next to text of others, they need a plan from the user's words alone."""

Why = Literal[
    "effect",
    "operator",
    "unattended",
    "session",
    "several",
    "strangers",
    "given",
    "provided",
    "planned",
    "carries",
    "leads",
    "rate",
    "sum",
    "permitted",
]
"""The reason of a ruling; `commands/tool_rules.py` has a sentence for each."""
_PERMITTED: frozenset[Why] = frozenset({"effect", "strangers"})
"""Reasons to ask that a permanent permission overrides. All other reasons stay."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The policy for a call, and the reason."""

    policy: Policy
    why: Why = "effect"
    whose: tuple[Words, ...] = ()
    """Authors whose words decided, without their texts."""
    permission: int = 0
    """Id of the permanent permission that lets the call run."""
    lasting: str = ""
    """Fingerprint of the tool, if the user may permit the call permanently; else ""."""
    fixed: tuple[str, ...] | None = None
    """Arguments that such a permission would fix, None for all arguments."""


@dataclass(frozen=True, slots=True)
class SpentToday:
    """Calls of a tool for one user in the last 24 hours, and the sums of limited arguments."""

    calls: int = 0
    sums: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The state of a turn when a model proposes a call."""

    provenance: PromptProvenance = field(default_factory=PromptProvenance)
    """Texts of the turn's prompts, with their authors."""
    in_session: bool = False
    """Whether the turn belongs to a guided session."""
    is_unattended: bool = False
    """Whether no user has just asked for the turn."""
    operator_policy: Policy | None = None
    """The operator's setting for the tool."""
    may_be_auto: bool = True
    """Whether the tool may run at once."""
    spending: SpentToday = field(default_factory=SpentToday)
    """Earlier calls of the tool."""
    digest: str = ""
    """Fingerprint of the tool."""
    permissions: tuple[Permission, ...] = ()
    """The user's permanent permissions, for any tool."""
    planned_calls: tuple[PlannedCall, ...] = ()
    """Planned calls of the tool that are not made yet."""
    earlier_texts: tuple[str, ...] = ()
    """Texts that the same server got in this turn."""
    is_one_of_several: bool = False
    """Whether the model proposes other changes at the same time."""


def decide(effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances) -> Ruling:
    """The ruling on a call of a tool with this effect and rule."""
    ruling = _by_words(effect, rule, arguments, now)
    if ruling.policy == "ask" and ruling.why in _PERMITTED:
        ruling = _by_permission(ruling, EFFECTS[effect].permission_cap, rule, arguments, now)
    over = _over(effect, rule, arguments, now.spending) if ruling.policy == "auto" else None
    return Ruling("deny" if now.is_unattended else "ask", over) if over else ruling


def with_schema(rule: Rule, description: str, schema: Mapping[str, Any]) -> Rule:
    """The rule, completed by a server's description of its tool and by the tool's JSON Schema."""
    texts, property_names, addresses = [description], set[str](), set[str]()
    pending_parts: list[tuple[str, Any]] = [("", schema)]
    while pending_parts:
        name, part = pending_parts.pop()
        if isinstance(part, list):
            pending_parts += [(name, item) for item in part]
        elif not isinstance(part, dict):
            texts.append(str(part))
            continue
        elif isinstance(properties := part.get("properties"), dict):
            property_names |= properties.keys()
            pending_parts += properties.items()
        if isinstance(part, dict):
            addresses |= {name} if part.get("format") in FORMATS else set()
            pending_parts += [(name, item) for key, item in part.items() if key != "properties"]
    return replace(
        rule,
        own="\n".join((*texts, *property_names)),
        schema_names=frozenset(property_names),
        addresses=frozenset(addresses),
    )


def most_a_day(effect: Effect, rule: Rule) -> int | None:
    """The number of calls in 24 hours that run without asking, None without a limit."""
    return EFFECTS[effect].most_a_day if rule.most_a_day is None else rule.most_a_day


def is_bounded(effect: Effect, rule: Rule) -> bool:
    """Whether the ruling depends on earlier calls of the tool."""
    return bool(rule.sums) or most_a_day(effect, rule) is not None


def _over(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], spending: SpentToday
) -> Why | None:
    """The reason why a call exceeds a limit, None if it does not."""
    most_calls = most_a_day(effect, rule)
    if most_calls is not None and spending.calls >= most_calls:
        return "rate"
    for name, limit in rule.sums.items():
        amount = arguments.get(name, 0)
        if isinstance(amount, bool) or not isinstance(amount, int | float):
            return "sum"
        # In this form, NaN exceeds the limit.
        if not spending.sums.get(name, 0) + abs(amount) <= limit:
            return "sum"
    return None


def _by_words(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    """The ruling by the texts in the prompt and in the call."""
    ruling = _ruling_without_words(effect, rule, now)
    may_run_if_planned = ruling.policy == "auto" or ruling.why == "effect"
    if may_run_if_planned and _is_planned(effect, rule, arguments, now):
        ruling = Ruling("auto", "planned", (Words("", "user"),))
    if ruling.policy != "auto":
        return ruling
    if leaving_ruling := _leaving(effect, rule, arguments, now, is_planned=ruling.why == "planned"):
        return replace(leaving_ruling, policy="deny" if now.is_unattended else "ask")
    if ruling.why == "planned" or rule.never_asks or EFFECTS[effect].if_foreign == "auto":
        return ruling
    if now.provenance.is_foreign:
        return _ruling_beside_foreign_text(effect, rule, arguments, now)
    if now.provenance.copies_operator(_values(rule.writes, arguments)):
        return Ruling("ask", "strangers", (Words("", "operator"),))
    has_invented_text = now.is_one_of_several and not _is_of_message(
        rule, arguments, now.provenance
    )
    return Ruling("ask", "several") if has_invented_text else ruling


def _ruling_beside_foreign_text(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    """The ruling on an unplanned call while the prompt has other people's texts."""
    is_free = not now.is_one_of_several and not _recurs(rule, arguments)
    if is_free and not _is_held_back(rule, arguments, now.provenance):
        if _is_provided(rule, arguments, now.provenance):
            return Ruling("auto", "given", (Words("", "user"),))
        if EFFECTS[effect].trusts_provided and _is_of_nobody(rule, arguments, now.provenance):
            return Ruling("auto", "provided", now.provenance.foreign_authors)
    return Ruling(EFFECTS[effect].if_foreign, "strangers", now.provenance.foreign_authors)


def _leaving(
    effect: Effect,
    rule: Rule,
    arguments: Mapping[str, Any],
    now: Circumstances,
    *,
    is_planned: bool,
) -> Ruling | None:
    """The ruling that holds a call back because of the text it sends; None if the text may go.

    A tool that reads may send only words that the user said. A planned call may also use words of
    texts that the user had the bot read. All other calls ask anyway.
    """
    provenance, outgoing = now.provenance, _texts(rule, arguments, rule.sends)
    if not outgoing:
        return None  # tools are listed in every turn, before anything is called
    values = [text for _, text in outgoing]
    if whose := provenance.private_authors(values, rule.to, now.earlier_texts, in_prose=is_planned):
        return Ruling("ask", "carries", whose)
    if rule.to and provenance.opens_untrusted_address(outgoing, rule.addresses):
        return Ruling("ask", "leads", provenance.foreign_authors)
    is_held = effect == "read" and provenance.holds_back(values, rule.to, rule.own)
    if is_held or (is_planned and rule.sends and provenance.rewrites(values)):
        return Ruling("ask", "carries", provenance.foreign_authors)
    return None


def _by_permission(
    ruling: Ruling, most: int, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    """The ruling after a look at the user's permanent permissions.

    If a permission covers the call, the call runs. Otherwise it asks, and offers a permission where
    one may be given. The permission fixes the arguments that the user has to provide; if the rule
    names none, it fixes all arguments.
    """
    if not (now.digest and now.may_be_auto and now.spending.calls < most):
        return ruling
    constant_arguments = None if rule.user_provided in {(), EVERY} else rule.user_provided
    for permission in now.permissions:
        if permission.digest != now.digest:
            continue
        new_names = permission.new_arguments(arguments, constant_arguments)
        if new_names is not None and _may_be_new(new_names, rule, arguments, now):
            return Ruling("auto", "permitted", permission=permission.id)
    texts = _texts(rule, arguments)
    is_private = _is_private(texts, rule, now)
    if is_private or now.provenance.opens_untrusted_address(texts, rule.addresses):
        return ruling
    return replace(ruling, lasting=now.digest, fixed=constant_arguments)


def _may_be_new(
    names: Collection[str], rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> bool:
    """Whether a call may differ in these arguments from the call that was permitted permanently.

    The new values must hold nothing private, and no address that the user did not name just now.
    Next to text of others, each value must stand in the user's message, and not in that text.
    """
    provenance, texts = now.provenance, _texts(rule, arguments, names)
    if _is_private(texts, rule, now) or have_new_address(texts, provenance.message, rule.addresses):
        return False
    return not provenance.is_foreign or all(
        name in arguments and provenance.user_provides(values_in(arguments[name])) for name in names
    )


def _is_private(outgoing: Iterable[tuple[str, str]], rule: Rule, now: Circumstances) -> bool:
    """Whether texts that go to the server are copies of private texts."""
    values = (text for _, text in outgoing)
    return bool(now.provenance.private_authors(values, rule.to, now.earlier_texts))


def _ruling_without_words(effect: Effect, rule: Rule, now: Circumstances) -> Ruling:
    """The ruling by effect, operator and kind of turn."""
    effect_rule = EFFECTS[effect]
    if now.is_unattended and not effect_rule.runs_unattended:
        return Ruling("deny", "unattended")
    if now.operator_policy in {"ask", "deny"}:
        return Ruling(now.operator_policy, "operator")
    is_auto = now.operator_policy == "auto" and effect_rule.may_be_auto and now.may_be_auto
    if now.in_session and effect in {"change", "foreign"} and not rule.never_asks:
        return Ruling("ask", "session")
    return Ruling("auto", "operator") if is_auto else Ruling(effect_rule.alone)


def _is_planned(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> bool:
    """Whether the call was planned, and the values that matter are the user's own."""
    if not (now.may_be_auto and EFFECTS[effect].may_be_planned):
        return False
    provenance = now.provenance
    if effect == "change":
        in_plan = any(
            planned_call.is_repeated or not _recurs(rule, arguments)
            for planned_call in now.planned_calls
        )
        is_own = not provenance.has_untrusted or _is_of_message(rule, arguments, provenance)
        is_free = is_own and not _is_held_back(rule, arguments, provenance)
        return in_plan and provenance.is_foreign and is_free
    argument_names = rule.user_provided
    values = _values(argument_names, arguments)
    if argument_names != EVERY and not (
        values and all(is_in(value, provenance.message) for value in values)
    ):
        return False
    return any(planned_call.fits(arguments, provenance) for planned_call in now.planned_calls)


def _is_of_message(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    """Whether the texts that a call writes consist of the user's words."""
    texts, is_strict = _values(rule.writes, arguments), provenance.has_untrusted
    return all(is_made_of(text, provenance.message, is_strict=is_strict) for text in texts)


def _recurs(rule: Rule, arguments: Mapping[str, Any]) -> bool:
    """Whether a call makes something repeat, by a rule of RFC 5545."""
    return any("freq=" in str(arguments.get(name)).casefold() for name in rule.recurrence)


def _is_held_back(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    """Whether a value makes every call ask while the prompt has other people's texts."""
    if any(part in str(arguments.get(name)) for name, part in rule.asks.items()):
        return True
    places = filter(None, (arguments.get(name) for name in rule.places))
    return not all(names_place(str(place), provenance.message) for place in places)


def _is_provided(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    """Whether the user's message provides the values that it has to."""
    values = _values(rule.user_provided, arguments)
    return bool(rule.user_provided) and provenance.user_provides(values)


def _is_of_nobody(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    """Whether no untrusted text is in the prompt, and the call copies no text that was read."""
    texts = _values(rule.writes, arguments)
    is_own = _is_of_message(rule, arguments, provenance) and not provenance.holds(texts)
    return not provenance.has_untrusted and (is_own or not texts)


def _values(names: tuple[str, ...], arguments: Mapping[str, Any]) -> list[str]:
    """The texts in the values of these arguments."""
    argument_values = (
        list(arguments.values()) if names == EVERY else [arguments.get(name) for name in names]
    )
    return [
        value
        for argument in argument_values
        if argument is not None
        for value in values_in(argument)
    ]


def _texts(
    rule: Rule, arguments: Mapping[str, Any], names: Collection[str] = EVERY
) -> list[tuple[str, str]]:
    """The texts of arguments, each with its name: values, and names that the schema lacks."""
    selected_arguments = (
        arguments
        if names == EVERY
        else {argument_name: arguments.get(argument_name) for argument_name in names}
    )
    return [
        (name, text)
        for name, text in texts_in(selected_arguments)
        if name or text not in rule.schema_names
    ]
