"""Calls of tools for the few wishes that `turns.toml` lists; for all others a test scripts them."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rich_agent_sandbox.model.prompt import Prompt
from rich_agent_sandbox.model.request import FunctionSpec

_MOST_READ = 500  # characters
_ENDS = " \n.!?。！？"


@dataclass(frozen=True, slots=True)
class Intended:
    """A call that the model wants made."""

    name: str
    arguments: Mapping[str, Any]


def asks_for_action(text: str) -> bool:
    """Whether something is to be done, or looked up among what the user keeps here."""
    said = text[:_MOST_READ].strip(_ENDS)
    begins, ends = map(tuple, (_turns()["begins"], _turns()["ends"]))
    is_request = said.casefold().startswith(begins) or said.endswith(ends)
    return is_request or _wished(said) is not None


def next_call(prompt: Prompt, offered: Sequence[FunctionSpec]) -> Intended | None:
    """Return the call that the message wishes for, None if its tool is missing or was called."""
    call = _wished(prompt.question[:_MOST_READ].strip(_ENDS))
    is_offered = call is not None and call.name in {spec.name for spec in offered}
    return call if is_offered and not prompt.acts else None


def _wished(said: str) -> Intended | None:
    for pattern, wish in _patterns():
        if found := pattern.fullmatch(said):
            named = {name: told[:1].upper() + told[1:] for name, told in found.groupdict().items()}
            given = wish["arguments"].items()
            return Intended(wish["tool"], {name: form.format(**named) for name, form in given})
    return None


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...]:
    return tuple(
        (re.compile(_pattern(form), re.IGNORECASE | re.DOTALL), wish)
        for wish in _turns()["wish"]
        for form in wish["says"]
    )


def _pattern(form: str) -> str:
    spelt = re.escape(form.strip(_ENDS))
    return re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+)", spelt)


@cache
def _turns() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("turns.toml").read_text(encoding="utf-8"))
