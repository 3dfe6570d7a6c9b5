"""Calls that the user's words alone ask for, planned by a model that has read nothing else.

A plan frees only what code finds in the user's words; whatever it says besides frees nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NotRequired, Self, TypedDict

from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.value_texts import is_in, values_in
from rich_agent.domain.verbatim import letters_of, verbatim_of

_LEAST_NAMED = 3
"""Letters and digits that can name somebody or something; one of a script like CJK's is enough."""
_FIRST_WIDE = "\u2e80"


class PlannedCallState(TypedDict):
    """A `PlannedCall` as JSON, for the graph's state."""

    tool: str
    fixed: dict[str, list[str]]
    written: list[str]
    is_repeated: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call that is to come: its tool, and the values of arguments that the user named.

    `written` are the arguments whose texts and times are written later. `is_repeated` where the
    user wants it again and again, such as each Monday.
    """

    tool: str
    fixed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    written: frozenset[str] = frozenset()
    is_repeated: bool = False

    @classmethod
    def widest(cls, tool: str, arguments: Mapping[str, Any], message: str) -> Self:
        """The plan that frees this call, if any can."""
        values = {name: list(values_in(value)) for name, value in _without_empty(arguments).items()}
        return cls(tool, values, frozenset(values), is_repeated=True).restrict_to(message)

    def restrict_to(self, message: str) -> Self:
        """The plan with those values fixed that the user said; the others are written later."""
        message_values = {
            name: values
            for name, values in self.fixed.items()
            if values and all(is_in(value, message) for value in values)
        }
        later = self.written | (self.fixed.keys() - message_values.keys())
        return replace(self, fixed=message_values, written=later)

    def fits(self, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
        """Whether a call is the planned one: it repeats all that is fixed, and writes the rest.

        What is fixed has to stand in the user's message, and to name something.
        """
        call_values = _without_empty(arguments)
        fixed_values = [value for values in self.fixed.values() for value in values]
        return (
            any(map(_names_something, fixed_values))
            and all(is_in(value, provenance.message) for value in fixed_values)
            and self.fixed.keys() <= call_values.keys()
            and all(self._admits(name, value, provenance) for name, value in call_values.items())
        )

    def _admits(self, name: str, value: object, provenance: PromptProvenance) -> bool:
        if name in self.fixed:
            return _verbatim_values(values_in(value)) == _verbatim_values(self.fixed[name])
        return name in self.written and isinstance(value, str) and provenance.is_prose(value)

    def is_made_by(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call that was made is the planned one, as far as that is fixed."""
        return tool == self.tool and all(
            name in arguments
            and _verbatim_values(values_in(arguments[name])) == _verbatim_values(values)
            for name, values in self.fixed.items()
        )

    def to_state(self) -> PlannedCallState:
        """The planned call as JSON."""
        constants = {name: list(values) for name, values in self.fixed.items()}
        state: PlannedCallState = {
            "tool": self.tool,
            "fixed": constants,
            "written": sorted(self.written),
        }
        if self.is_repeated:
            state["is_repeated"] = True
        return state

    @classmethod
    def from_state(cls, value: PlannedCallState) -> Self:
        """The planned call that `to_state` wrote."""
        is_repeated = value.get("is_repeated", False)
        return cls(value["tool"], value["fixed"], frozenset(value["written"]), is_repeated)


def remaining_calls(
    plan: Iterable[PlannedCall], past_calls: Iterable[tuple[str, Mapping[str, Any]]]
) -> tuple[PlannedCall, ...]:
    """The planned calls that were not made yet: each may be made once.

    Equal ones with arguments are one. Of those without, each call that was made ends one.
    """
    calls, all_calls = list(past_calls), list(plan)
    rest = [
        one for one in all_calls if one.fixed and not any(one.is_made_by(*call) for call in calls)
    ]
    bare = [one for one in all_calls if not one.fixed]
    for tool, _ in calls:
        place = next((at for at, one in enumerate(bare) if one.tool == tool), None)
        if place is not None:
            del bare[place]
    return (*rest, *bare)


def _without_empty(arguments: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in arguments.items() if value not in (None, "", [], {})}


def _verbatim_values(values: Iterable[str]) -> list[str]:
    return sorted(map(verbatim_of, values))


def _names_something(value: str) -> bool:
    letters = letters_of(value)
    return len(letters) >= _LEAST_NAMED or any(one >= _FIRST_WIDE for one in letters)
