"""Rules of tools, as data: what runs at once, what the user approves first, and what never runs.

They hold whatever a model says: a rule reads where values were copied from, never what they mean.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Literal

from rich_agent.domain.approving.user_words import is_made_of, names_place
from rich_agent.domain.origins import Sight
from rich_agent.domain.outgoing.addresses import have_new_address
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

    `alone` is the policy without a setting, `may_be_auto` whether the operator can have it run at
    once, `among_others` the policy while others' words are in the prompt and the user's own do not
    give the call. What `may_be_planned` runs at once where the user's words alone led to the call.
    What `trusts_provided` counts documents of the operator and files of the user as nobody's order,
    for a call that writes nothing of them.
    With nobody there only what `runs_unattended` does. After `most_a_day` calls of a tool in 24
    hours each more asks; None: no such bound. A user may permit a call for good, which counts until
    `most_permitted` calls of the tool in 24 hours; 0: that is not offered.
    """

    alone: Policy
    among_others: Policy
    may_be_auto: bool = True
    may_be_planned: bool = False
    trusts_provided: bool = False
    runs_unattended: bool = False
    most_a_day: int | None = None
    most_permitted: int = 0


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule for one tool.

    `given` are the arguments that have to stand in the user's message for a call that is not asked
    for while others speak; without any it is always asked for. `writes` are all arguments that hold
    text: in a planned change of the user's own things they consist of the user's words while
    untrusted words are in the prompt. `asks` are parts of values that are never free while others
    speak, `places` arguments that name a place, which has to be one of the user's message, and
    `recurrence` those by which it comes again, which the user has to have asked for. What
    `never_asks` takes back the user's own last change: only the operator makes it ask. `sends` are
    the arguments that leave the program: before they carry what the user did not say just now, or
    lead to an address that the user did not name, the user is asked. `to` is the server that they
    go to, "" for the web search; `own` is what it wrote of the tool, `described` the names of
    arguments in that, and `addresses` those of them that take addresses by their format.
    `most_a_day` replaces that of the effect. `sums` bounds numbers: a call asks that would raise
    the sum of this argument above its bound, of all calls in 24 hours without regard to signs; so
    does one where it is no number.
    """

    given: tuple[str, ...] = ()
    writes: tuple[str, ...] = EVERY
    asks: Mapping[str, str] = field(default_factory=dict)
    places: tuple[str, ...] = ()
    recurrence: tuple[str, ...] = ()
    never_asks: bool = False
    sends: tuple[str, ...] = ()
    to: str = ""
    own: str = ""
    described: frozenset[str] = frozenset()
    addresses: frozenset[str] = frozenset()
    most_a_day: int | None = None
    sums: Mapping[str, float] = field(default_factory=dict)


def _own_text(*names: str, **more: Any) -> Rule:  # noqa: ANN401 - fields of the rule
    """The rule of a tool that keeps what the user said: its texts have to be theirs."""
    return Rule(given=names, writes=names, **more)


EFFECTS: Mapping[Effect, EffectRule] = MappingProxyType(
    {
        "read": EffectRule("auto", "auto", runs_unattended=True),
        "change": EffectRule("auto", "ask", may_be_planned=True, trusts_provided=True),
        "delete": EffectRule("ask", "ask", may_be_auto=False),
        "foreign": EffectRule("ask", "ask", may_be_planned=True, most_a_day=50, most_permitted=10),
        "session": EffectRule("auto", "ask"),
    }
)
RULES: Mapping[str, Rule] = MappingProxyType(
    {
        "create_task": _own_text("title", "description", recurrence=("recurrence",)),
        "create_note": _own_text("title", "content"),
        "create_goal": _own_text("title"),
        "create_project": _own_text("name", "description", "action_plan"),
        "create_schedule_block": _own_text("title"),
        "update_task": Rule(writes=("title", "description"), recurrence=("recurrence",)),
        "update_goal": Rule(writes=("title",)),
        "update_project": Rule(writes=("name", "description", "action_plan")),
        # A prompt acts with its words later, and the first zone that is named stays the user's.
        "remind": _own_text(
            "text", asks={"kind": "prompt"}, places=("time_zone",), recurrence=("when",)
        ),
        "cancel_reminder": Rule(writes=()),
        "snooze_reminder": Rule(writes=()),
        "undo_last_change": Rule(writes=(), never_asks=True),
        "search_web": Rule(sends=("query",)),
    }
)
"""What is not named here has the rule of its effect alone."""
OF_EFFECT = Rule()
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
"""What decided: the effect of the tool, the operator, that nobody is there, a guided session,
several changes at once, strangers' words, words that the user gave, that what was read was provided
by the operator or the user, a plan made of the user's words alone, what would be sent, an address
that the user did not name, what was called in the last 24 hours, or that the user permitted it."""
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
    """The moment in which a call is wanted, and the texts that are in sight then.

    `may_be_auto` is whether the operator can have this tool run at once, `spent` what was called of
    it before. `is_one_of_several` changes that are wanted at once. `planned` are the calls of it
    that are still to come by the user's words alone. `digest` is its fingerprint, and `permitted`
    what the user permitted of any tool. `sent_before` is what the same place got in this turn.
    """

    sight: Sight = field(default_factory=Sight)
    in_session: bool = False
    is_unattended: bool = False
    wanted: Policy | None = None
    may_be_auto: bool = True
    spent: SpentToday = field(default_factory=SpentToday)
    digest: str = ""
    permitted: tuple[Permission, ...] = ()
    planned: tuple[PlannedCall, ...] = ()
    sent_before: tuple[str, ...] = ()
    is_one_of_several: bool = False


def decide(effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances) -> Ruling:
    """The decision on a call of a tool with this effect and rule."""
    found = _by_words(effect, rule, arguments, now)
    if found.policy == "ask" and found.why in _PERMITTED:
        found = _by_permission(found, EFFECTS[effect].most_permitted, rule, arguments, now)
    over = _over(effect, rule, arguments, now.spent) if found.policy == "auto" else None
    return Ruling("deny" if now.is_unattended else "ask", over) if over else found


def most_a_day(effect: Effect, rule: Rule) -> int | None:
    """The calls of a tool in 24 hours that run unasked, None without a bound."""
    return EFFECTS[effect].most_a_day if rule.most_a_day is None else rule.most_a_day


def is_bounded(effect: Effect, rule: Rule) -> bool:
    """Whether it matters what was called of a tool before."""
    return bool(rule.sums) or most_a_day(effect, rule) is not None


def _over(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], spent: SpentToday
) -> Why | None:
    most = most_a_day(effect, rule)
    if most is not None and spent.calls >= most:
        return "rate"
    for name, bound in rule.sums.items():
        amount = arguments.get(name, 0)
        if isinstance(amount, bool) or not isinstance(amount, int | float):
            return "sum"
        # So written, what is no number at all is over it.
        if not spent.sums.get(name, 0) + abs(amount) <= bound:
            return "sum"
    return None


def _by_words(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    fixed = _whatever_is_said(effect, rule, now)
    may_go = fixed.policy == "auto" or fixed.why == "effect"
    if may_go and _is_planned(effect, rule, arguments, now):
        fixed = Ruling("auto", "planned", (Words("", "user"),))
    if fixed.policy != "auto":
        return fixed
    if refusal := _leaving(effect, rule, arguments, now, is_planned=fixed.why == "planned"):
        return replace(refusal, policy="deny" if now.is_unattended else "ask")
    if fixed.why == "planned" or rule.never_asks or EFFECTS[effect].among_others == "auto":
        return fixed
    if now.sight.is_foreign:
        return _among_others(effect, rule, arguments, now)
    is_invented = now.is_one_of_several and not _is_made_of_message(rule, arguments, now.sight)
    return Ruling("ask", "several") if is_invented else fixed


def _among_others(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    """The ruling on a call that no plan frees, while others' words are in the prompt."""
    is_free = not now.is_one_of_several and not _recurs(rule, arguments)
    if is_free and not _is_held_back(rule, arguments, now.sight):
        if _is_given(rule, arguments, now.sight):
            return Ruling("auto", "given", (Words("", "user"),))
        if EFFECTS[effect].trusts_provided and _is_of_nobody(rule, arguments, now.sight):
            return Ruling("auto", "provided", now.sight.strangers)
    return Ruling(EFFECTS[effect].among_others, "strangers", now.sight.strangers)


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
    sight, sent = now.sight, _texts(rule, arguments, rule.sends)
    if not sent:
        return None  # tools are listed in every turn, before anything is called
    values = [text for _, text in sent]
    if whose := sight.private_authors(values, rule.to, now.sent_before, in_prose=is_planned):
        return Ruling("ask", "carries", whose)
    if rule.to and sight.opens_untrusted_address(sent, rule.addresses):
        return Ruling("ask", "leads", sight.strangers)
    is_held = effect == "read" and sight.holds_back(values, rule.to, rule.own)
    if is_held or (is_planned and rule.sends and sight.rewrites(values)):
        return Ruling("ask", "carries", sight.strangers)
    return None


def _by_permission(
    found: Ruling, most: int, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> Ruling:
    """The ruling that asks, unless the user permitted the call for good, or with that offered.

    What may destroy something asks each time. The arguments that have to be given are fixed in a
    permission; without such a rule all are.
    """
    if not (now.digest and now.may_be_auto and now.spent.calls < most):
        return found
    fixed = None if rule.given in {(), EVERY} else rule.given
    for one in now.permitted:
        new = one.new_arguments(arguments, fixed) if one.digest == now.digest else None
        if new is not None and _may_be_new(new, rule, arguments, now):
            return Ruling("auto", "permitted", permission=one.id)
    sent = _texts(rule, arguments)
    if now.sight.opens_untrusted_address(sent, rule.addresses) or _is_private(sent, rule, now):
        return found
    return replace(found, lasting=now.digest, fixed=fixed)


def _may_be_new(
    names: Collection[str], rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> bool:
    """Whether a call may have these new arguments besides those that were permitted for good.

    They carry off nothing that is kept, and lead nowhere that the user did not name just now.
    While others speak, each also has to stand in the user's message, and not in others' words.
    """
    sent = _texts(rule, arguments, names)
    if _is_private(sent, rule, now) or have_new_address(sent, now.sight.said, rule.addresses):
        return False
    return not now.sight.is_foreign or all(
        name in arguments and now.sight.gives(values_in(arguments[name])) for name in names
    )


def _is_private(sent: Iterable[tuple[str, str]], rule: Rule, now: Circumstances) -> bool:
    values = (text for _, text in sent)
    return bool(now.sight.private_authors(values, rule.to, now.sent_before))


def _whatever_is_said(effect: Effect, rule: Rule, now: Circumstances) -> Ruling:
    of_effect = EFFECTS[effect]
    if now.is_unattended and not of_effect.runs_unattended:
        return Ruling("deny", "unattended")
    if now.wanted in {"ask", "deny"}:
        return Ruling(now.wanted, "operator")
    is_auto = now.wanted == "auto" and of_effect.may_be_auto and now.may_be_auto
    if now.in_session and effect in {"change", "foreign"} and not rule.never_asks:
        return Ruling("ask", "session")
    return Ruling("auto", "operator") if is_auto else Ruling(of_effect.alone)


def _is_planned(
    effect: Effect, rule: Rule, arguments: Mapping[str, Any], now: Circumstances
) -> bool:
    """Whether it was planned, and what the operator names or a change writes is the user's."""
    if not (now.may_be_auto and EFFECTS[effect].may_be_planned):
        return False
    if effect == "change":
        is_wanted = any(one.is_repeated or not _recurs(rule, arguments) for one in now.planned)
        is_own = not now.sight.has_untrusted or _is_made_of_message(rule, arguments, now.sight)
        is_free = is_own and not _is_held_back(rule, arguments, now.sight)
        return is_wanted and now.sight.is_foreign and is_free
    named = _values(rule.given, arguments)
    if rule.given != EVERY and not (named and all(is_in(one, now.sight.said) for one in named)):
        return False
    return any(one.fits(arguments, now.sight) for one in now.planned)


def _is_made_of_message(rule: Rule, arguments: Mapping[str, Any], sight: Sight) -> bool:
    texts = _values(rule.writes, arguments)
    return all(is_made_of(one, sight.said, is_strict=sight.has_untrusted) for one in texts)


def _recurs(rule: Rule, arguments: Mapping[str, Any]) -> bool:
    """Whether a call has a rule by which something comes again, as RFC 5545 writes it."""
    return any("freq=" in str(arguments.get(name)).casefold() for name in rule.recurrence)


def _is_held_back(rule: Rule, arguments: Mapping[str, Any], sight: Sight) -> bool:
    """Whether a value is one that is never free while others speak."""
    if any(part in str(arguments.get(name)) for name, part in rule.asks.items()):
        return True
    places = filter(None, (arguments.get(name) for name in rule.places))
    return not all(names_place(str(one), sight.said) for one in places)


def _is_given(rule: Rule, arguments: Mapping[str, Any], sight: Sight) -> bool:
    return bool(rule.given) and sight.gives(_values(rule.given, arguments))


def _is_of_nobody(rule: Rule, arguments: Mapping[str, Any], sight: Sight) -> bool:
    """Whether nobody untrusted speaks, and no text of the call is one that was read."""
    texts = _values(rule.writes, arguments)
    is_own = _is_made_of_message(rule, arguments, sight) and not sight.holds(texts)
    return not sight.has_untrusted and (is_own or not texts)


def _values(named: tuple[str, ...], arguments: Mapping[str, Any]) -> list[str]:
    wanted = list(arguments.values()) if named == EVERY else [arguments.get(n) for n in named]
    return [value for one in wanted if one is not None for value in values_in(one)]


def _texts(
    rule: Rule, arguments: Mapping[str, Any], named: Collection[str] = EVERY
) -> list[tuple[str, str]]:
    """The texts of arguments with the names above each: values, and what nobody described."""
    sent = arguments if named == EVERY else {n: arguments.get(n) for n in named}
    return [(name, text) for name, text in texts_in(sent) if name or text not in rule.described]
