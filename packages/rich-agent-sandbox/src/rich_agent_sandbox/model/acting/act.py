"""The next step of a model that was offered tools: calls of some of them, or words."""

from collections.abc import Sequence
from typing import Any

from rich_agent_sandbox.model.acting.arguments import (
    Wish,
    arguments_for,
    ids_needed_by,
    kind_of_parameter,
    needed_by,
    with_defaults,
)
from rich_agent_sandbox.model.acting.leading import lead
from rich_agent_sandbox.model.acting.querying import queried
from rich_agent_sandbox.model.acting.results import amendment_in, is_failure, words_in
from rich_agent_sandbox.model.acting.steps import Intended, Step
from rich_agent_sandbox.model.acting.wishes import Said, clauses, named_in, said_in, told_of
from rich_agent_sandbox.model.answering.preferences import language_wanted
from rich_agent_sandbox.model.answering.small_talk import say
from rich_agent_sandbox.model.language.days import now_in
from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import FunctionSpec
from rich_agent_sandbox.model.schema import resolve

_TELLING = frozenset({"remind", "snooze", "send", "search"})
_CHANGING = frozenset({"update", "delete", "cancel", "complete"})
_READING = frozenset({"get", "search"})
_MOST_OF_DESCRIPTION = 3


def next_step(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Step:
    """Return the next step that the message asks of the tools, less what they have done for it.

    An id that the message does not tell is looked up first; what else is missing is asked for.
    """
    if led := lead(prompt, offered, lambda: _next(prompt, offered)):
        return led
    if (query := queried(prompt, offered)) is not None:
        return query
    step = _next(prompt, offered)
    asks = next((spec for spec in offered if "ask" in named_in(spec.name).acts), None)
    if not step.words.endswith(("?", "？")) or asks is None:
        return step
    # A question is asked by the tool for questions, where there is one.
    given, missing = arguments_for(asks.parameters, Wish("", before=step.words))
    return step if missing else Step((Intended(asks.name, given),))


def _next(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Step:
    changed = " ".join(filter(None, map(amendment_in, prompt.acts)))
    if any(is_failure(act) and not amendment_in(act) for act in prompt.acts):
        return Step()
    calls: list[Intended] = []
    done = [act.name for act in prompt.acts if not amendment_in(act)]
    title = ""
    for text, spec in _wishes(prompt, offered):
        now, reply = now_in(prompt.instructions), prompt.answer_to_it.strip(" .。")
        wish = Wish(text, now, prompt.acts, title, changed, reply)
        title = wish.title
        if spec.name in done:
            done.remove(spec.name)
            continue
        given, missing = arguments_for(spec.parameters, wish)
        if unknown := [name for name in missing if name in ids_needed_by(spec.parameters)]:
            lookup = _lookup(unknown[0], spec, offered)
            if lookup is None or lookup.name in done:
                return Step(words=say("not_found", language_wanted(prompt)))
            calls.append(Intended(lookup.name, _to_find(lookup, wish)))
        elif missing:
            return Step(words=_asked_for(spec, missing[0], language_wanted(prompt)))
        else:
            calls.append(Intended(spec.name, given))
    return Step(tuple(one for at, one in enumerate(calls) if one not in calls[:at]))


def forced(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Intended:
    """A call of the tool that fits the message best, whether or not it fits."""
    said = said_in(prompt.question)
    spec = max(offered, key=lambda one: _score(one, said, is_free=True))
    wish = Wish(prompt.question, now_in(prompt.instructions), prompt.acts)
    given, _ = arguments_for(spec.parameters, wish)
    return Intended(spec.name, with_defaults(spec.parameters, given))


def _wishes(prompt: Prompt, offered: Sequence[FunctionSpec]) -> list[tuple[str, FunctionSpec]]:
    """Each clause that a tool fits, with what follows it and asks for nothing of its own.

    A message of which no clause fits a tool may do so as a whole.
    """
    asked = _request(prompt, offered)
    told = [words_in(act) for act in prompt.acts if "ask" in named_in(act.name).acts]
    request = " ".join([asked, *(text for text in told if text not in asked)])
    found: list[tuple[str, FunctionSpec]] = []
    before = ""
    for clause in clauses(request):
        if spec := _best(clause, offered):
            found.append((f"{before} {clause}".strip(), spec))
            before = ""
        elif found:
            text, of = found[-1]
            found[-1] = f"{text} {clause}", of
        else:
            before = f"{before} {clause}"
    whole = None if found else _best(request, offered)
    return [(request, whole)] if whole else found


def _best(text: str, offered: Sequence[FunctionSpec]) -> FunctionSpec | None:
    said = said_in(text)
    best = max(offered, key=lambda one: _score(one, said), default=None)
    return best if best is not None and _score(best, said) > 0 else None


def _request(prompt: Prompt, offered: Sequence[FunctionSpec]) -> str:
    """The message, behind that to which it answers a question."""
    asked = prompt.turns[-1:]
    if asked and asked[0].role == "assistant" and asked[0].text.rstrip().endswith(("?", "？")):
        said = said_in(prompt.question)
        if len(prompt.turns) > 1 and not any(_score(spec, said) for spec in offered):
            return f"{prompt.turns[-2].text.rstrip('.!。')} {prompt.question}"
    return prompt.question


def _score(spec: FunctionSpec, said: Said, *, is_free: bool = False) -> float:
    """Score how well a tool fits what was said; 0 if not (with `is_free` it still may)."""
    name, about = named_in(spec.name), told_of(spec.description)
    shared, acts = name.nouns & said.nouns, (name.acts | about.main) & said.acts
    fits_act = bool(acts) or not name.acts
    fits_noun = bool(shared) or bool(acts and (acts & _TELLING or not name.nouns))
    # "Mark it as done", "move it to Friday": what, the names of what is there will tell.
    changes = acts & _CHANGING if ids_needed_by(spec.parameters) and not said.things else ()
    if not (fits_act and (fits_noun or changes)) and not is_free:
        return 0.0
    described = min(len(about.nouns & said.nouns), _MOST_OF_DESCRIPTION)
    acting = 4 * len(acts & said.main) + len(acts - said.main)
    return acting + 3 * len(shared) + 0.5 * described - 0.25 * len(name.nouns - shared) + 0.01


def _lookup(
    parameter: str, spec: FunctionSpec, offered: Sequence[FunctionSpec]
) -> FunctionSpec | None:
    """The tool that lists what an id is of, and needs no id itself."""
    wanted = named_in(spec.name).nouns | named_in(parameter.removesuffix("_id")).nouns
    lists = [
        one
        for one in offered
        if named_in(one.name).acts & _READING
        and named_in(one.name).nouns & wanted
        and not ids_needed_by(one.parameters)
    ]
    return min(lists, key=lambda one: len(named_in(one.name).nouns - wanted), default=None)


def _to_find(spec: FunctionSpec, wish: Wish) -> dict[str, Any]:
    """Return the arguments that a lookup needs; none that would narrow it to too little."""
    given, missing = arguments_for(spec.parameters, wish)
    needed = {name: value for name, value in given.items() if name in needed_by(spec.parameters)}
    return with_defaults(spec.parameters, needed) if missing else needed


def _asked_for(spec: FunctionSpec, parameter: str, language: str) -> str:
    """A question for what a required parameter is to hold."""
    part = resolve(spec.parameters["properties"][parameter], spec.parameters)
    if kind_of_parameter(parameter, part) in ("moment", "rule"):
        return say("ask_when", language)
    return say("ask_what", language, name=parameter.replace("_", " "))
