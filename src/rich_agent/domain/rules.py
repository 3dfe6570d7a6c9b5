"""Rules of tools, as data: what runs at once, what the user approves first, and what never runs.

They hold whatever a model says: a rule reads where values were copied from, never what they mean.
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
"""All the arguments of a call, also those that nobody described."""


@dataclass(frozen=True, slots=True)
class EffectRule:
    """The rule for all tools of one effect.

    `alone` is the policy without a setting. With `may_be_auto` the operator can have the tool run
    at once. `if_foreign` is the policy while text of others is in the prompt and the user's message
    does not provide the call. With `may_be_planned` a call runs at once if the user's message alone
    led to it. With `trusts_provided` documents of the operator and files of the user are no
    instructions, as long as the call writes none of their text. With `runs_unattended` the tool
    also runs when no user is there. After `most_a_day` calls in 24 hours each further call asks.
    Permissions for good cover `permission_cap` calls in 24 hours; with 0 none is offered.
    """

    alone: Policy
    if_foreign: Policy
    may_be_auto: bool = True
    may_be_planned: bool = False
    trusts_provided: bool = False
    runs_unattended: bool = False
    most_a_day: int | None = None
    permission_cap: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for one tool.

    `user_provided` are the arguments that the user's message has to hold, so that the call runs
    without asking while text of others is in the prompt; without any it always asks then. `writes`
    are all arguments that hold text: in a planned change of the user's own things they consist of
    the user's words while untrusted text is in the prompt. `asks` are parts of values that always
    ask then. `places` are arguments with a place, which has to be one of the user's message, and
    `recurrence` those that make something repeat, which the user has to have requested. Only the
    operator makes a tool ask that `never_asks`. `sends` leave the program: the user is asked
    before they carry what this message does not say, or an address that it does not name. `to` is
    the server that gets them, "" for the web search; `own` is its description of the tool,
    `schema_names` the names of arguments in that, and `addresses` those that take addresses by
    their format. `most_a_day` replaces the limit of the effect. `sums` limits numbers: a call asks
    if it would raise the sum of this argument over 24 hours, signs ignored, above the limit, or if
    the value is no number.
    """

    user_provided: tuple[str, ...] = ()
    writes: tuple[str, ...] = EVERY
    asks: Mapping[str, str] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    recurrence: tuple[str, ...] = ()
    never_asks: bool = False
    sends: tuple[str, ...] = ()
    to: str = ""
    own: str = ""
    schema_names: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    most_a_day: int | None = None
    sums: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of_own_texts(cls, *names: str, **more: Any) -> Self:  # noqa: ANN401 - fields of the rule
        """The rule of a tool that keeps what the user said: its texts have to be theirs."""
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
"""More of them ask if one writes words that the user did not say. While others speak, they need a
plan of the user's words alone."""

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
"""What a user may permit for good; the operator's word and the other bounds stay."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The policy for a call, why, and whose words it turned on.

    `permission` is the number of the one that let it run. Where the user may permit it for good,
    `lasting` is the fingerprint of the tool as it is now, and `fixed` are the arguments that would
    have to be the same each time, None for all.
    """

    policy: Policy
    why: Why = "effect"
    whose: tuple[Words, ...] = ()
    permission: int = 0
    lasting: str = ""
    fixed: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class SpentToday:
    """The calls of a tool for one user in the last 24 hours, and the sums of bounded arguments."""

    calls: int = 0
    sums: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The state of a turn when a call is proposed.

    `provenance` holds the texts of its prompts. `operator_policy` is the operator's setting for the
    tool, and `may_be_auto` whether that can be "auto". `spending` sums up its earlier calls.
    `digest` is its fingerprint, `permissions` are those of the user for any tool. `planned_calls`
    are the calls of it in the plan that are not made yet. `earlier_texts` are what the same server
    got in this turn. With `is_one_of_several` other changes are proposed at the same time.
    """

    provenance: PromptProvenance = field(default_factory=PromptProvenance)
    in_session: bool = False
    is_unattended: bool = False
    operator_policy: Policy | None = None
    may_be_auto: bool = True
    spending: SpentToday = field(default_factory=SpentToday)
    digest: str = ""
    permissions: tuple[Permission, ...] = ()
    planned_calls: tuple[PlannedCall, ...] = ()
    earlier_texts: tuple[str, ...] = ()
    is_one_of_several: bool = False


def decide(effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances) -> Ruling:
    """The decision on a call of a tool with this effect and rule."""
    ruling = _by_words(effect, rule, arguments, now)
    if ruling.policy == "ask" and ruling.why in _PERMITTED:
        ruling = _by_permission(ruling, EFFECTS[effect].permission_cap, rule, arguments, now)
    over = _over(effect, rule, arguments, now.spending) if ruling.policy == "auto" else None
    return Ruling("deny" if now.is_unattended else "ask", over) if over else ruling


def with_schema(rule: Rule, description: str, schema: Mapping[str, Any]) -> Rule:
    """The rule of a tool, with what others wrote of it and of its arguments in a JSON Schema."""
    texts, names, addresses = [description], set[str](), set[str]()
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        name, part = waiting.pop()
        if isinstance(part, list):
            waiting += [(name, one) for one in part]
        elif not isinstance(part, dict):
            texts.append(str(part))
            continue
        elif isinstance(properties := part.get("properties"), dict):
            names |= properties.keys()
            waiting += properties.items()
        if isinstance(part, dict):
            addresses |= {name} if part.get("format") in FORMATS else set()
            waiting += [(name, one) for key, one in part.items() if key != "properties"]
    return replace(
        rule,
        own="\n".join((*texts, *names)),
        schema_names=frozenset(names),
        addresses=frozenset(addresses),
    )


def most_a_day(effect: Effect, rule: Rule) -> int | None:
    """The calls of a tool in 24 hours that run unasked, None without a bound."""
    return EFFECTS[effect].most_a_day if rule.most_a_day is None else rule.most_a_day


def is_bounded(effect: Effect, rule: Rule) -> bool:
    """Whether it matters what was called of a tool before."""
    return bool(rule.sums) or most_a_day(effect, rule) is not None


def _over(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], spending: SpentToday
) -> Why | None:
    most = most_a_day(effect, rule)
    if most is not None and spending.calls >= most:
        return "rate"
    for name, limit in rule.sums.items():
        amount = arguments.get(name, 0)
        if isinstance(amount, bool) or not isinstance(amount, int | float):
            return "sum"
        # So written, what is no number at all is over it.
        if not spending.sums.get(name, 0) + abs(amount) <= limit:
            return "sum"
    return None


def _by_words(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    ruling = _ruling_without_words(effect, rule, now)
    may_go = ruling.policy == "auto" or ruling.why == "effect"
    if may_go and _is_planned(effect, rule, arguments, now):
        ruling = Ruling("auto", "planned", (Words("", "user"),))
    if ruling.policy != "auto":
        return ruling
    if refusal := _leaving(effect, rule, arguments, now, is_planned=ruling.why == "planned"):
        return replace(refusal, policy="deny" if now.is_unattended else "ask")
    if ruling.why == "planned" or rule.never_asks or EFFECTS[effect].if_foreign == "auto":
        return ruling
    if now.provenance.is_foreign:
        return _ruling_beside_foreign_text(effect, rule, arguments, now)
    is_invented = now.is_one_of_several and not _is_of_message(rule, arguments, now.provenance)
    return Ruling("ask", "several") if is_invented else ruling


def _ruling_beside_foreign_text(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    """The ruling on a call that no plan frees, while others' words are in the prompt."""
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
    """The ruling that holds a call back for what it sends, None if all of that may go.

    What reads may only send what was said. What was planned may be written in words of what the
    user had read, and anything else asks by itself.
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
    """The ruling that asks, unless the user permitted the call for good, or with that offered.

    What may destroy something asks each time. The arguments that have to be given are fixed in a
    permission; without such a rule all are.
    """
    if not (now.digest and now.may_be_auto and now.spending.calls < most):
        return ruling
    constant_arguments = None if rule.user_provided in {(), EVERY} else rule.user_provided
    for one in now.permissions:
        new = one.new_arguments(arguments, constant_arguments) if one.digest == now.digest else None
        if new is not None and _may_be_new(new, rule, arguments, now):
            return Ruling("auto", "permitted", permission=one.id)
    texts = _texts(rule, arguments)
    is_private = _is_private(texts, rule, now)
    if is_private or now.provenance.opens_untrusted_address(texts, rule.addresses):
        return ruling
    return replace(ruling, lasting=now.digest, fixed=constant_arguments)


def _may_be_new(
    names: Collection[str], rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> bool:
    """Whether a call may have these new arguments besides those that were permitted for good.

    They carry off nothing that is kept, and lead nowhere that the user did not name just now.
    While others speak, each also has to stand in the user's message, and not in others' words.
    """
    provenance, texts = now.provenance, _texts(rule, arguments, names)
    if _is_private(texts, rule, now) or have_new_address(texts, provenance.message, rule.addresses):
        return False
    return not provenance.is_foreign or all(
        name in arguments and provenance.user_provides(values_in(arguments[name])) for name in names
    )


def _is_private(outgoing: Iterable[tuple[str, str]], rule: Rule, now: Circumstances) -> bool:
    values = (text for _, text in outgoing)
    return bool(now.provenance.private_authors(values, rule.to, now.earlier_texts))


def _ruling_without_words(effect: Effect, rule: Rule, now: Circumstances) -> Ruling:
    of_effect = EFFECTS[effect]
    if now.is_unattended and not of_effect.runs_unattended:
        return Ruling("deny", "unattended")
    if now.operator_policy in {"ask", "deny"}:
        return Ruling(now.operator_policy, "operator")
    is_auto = now.operator_policy == "auto" and of_effect.may_be_auto and now.may_be_auto
    if now.in_session and effect in {"change", "foreign"} and not rule.never_asks:
        return Ruling("ask", "session")
    return Ruling("auto", "operator") if is_auto else Ruling(of_effect.alone)


def _is_planned(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> bool:
    """Whether it was planned, and what the operator names or a change writes is the user's."""
    if not (now.may_be_auto and EFFECTS[effect].may_be_planned):
        return False
    provenance = now.provenance
    if effect == "change":
        in_plan = any(one.is_repeated or not _recurs(rule, arguments) for one in now.planned_calls)
        is_own = not provenance.has_untrusted or _is_of_message(rule, arguments, provenance)
        is_free = is_own and not _is_held_back(rule, arguments, provenance)
        return in_plan and provenance.is_foreign and is_free
    names = rule.user_provided
    values = _values(names, arguments)
    if names != EVERY and not (values and all(is_in(one, provenance.message) for one in values)):
        return False
    return any(one.fits(arguments, provenance) for one in now.planned_calls)


def _is_of_message(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    texts, is_strict = _values(rule.writes, arguments), provenance.has_untrusted
    return all(is_made_of(one, provenance.message, is_strict=is_strict) for one in texts)


def _recurs(rule: Rule, arguments: Mapping[str, Any]) -> bool:
    """Whether a call has a rule by which something comes again, as RFC 5545 writes it."""
    return any("freq=" in str(arguments.get(name)).casefold() for name in rule.recurrence)


def _is_held_back(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    """Whether a value is one that is never free while others speak."""
    if any(part in str(arguments.get(name)) for name, part in rule.asks.items()):
        return True
    places = filter(None, (arguments.get(name) for name in rule.places))
    return not all(names_place(str(one), provenance.message) for one in places)


def _is_provided(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    values = _values(rule.user_provided, arguments)
    return bool(rule.user_provided) and provenance.user_provides(values)


def _is_of_nobody(rule: Rule, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
    """Whether nobody untrusted speaks, and no text of the call is one that was read."""
    texts = _values(rule.writes, arguments)
    is_own = _is_of_message(rule, arguments, provenance) and not provenance.holds(texts)
    return not provenance.has_untrusted and (is_own or not texts)


def _values(names: tuple[str, ...], arguments: Mapping[str, Any]) -> list[str]:
    selection = list(arguments.values()) if names == EVERY else [arguments.get(n) for n in names]
    return [value for one in selection if one is not None for value in values_in(one)]


def _texts(
    rule: Rule, arguments: Mapping[str, Any], names: Collection[str] = EVERY
) -> list[tuple[str, str]]:
    """The texts of arguments with the names above each: values, and what nobody described."""
    part = arguments if names == EVERY else {n: arguments.get(n) for n in names}
    return [(name, text) for name, text in texts_in(part) if name or text not in rule.schema_names]
