"""Calls that the user's words alone ask for, planned by a model that has read nothing else.

A planned value counts only if code finds it in the user's words.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NotRequired, Self, TypedDict

from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.value_texts import is_in, values_in
from rich_agent.domain.verbatim import letters_of, verbatim_of

_LEAST_NAMED = 3
"""Least letters and digits of a name. In scripts such as CJK, one is enough."""
_FIRST_WIDE = "\u2e80"


class PlannedCallState(TypedDict):
    """A `PlannedCall` as JSON, for the graph's state."""

    tool: str
    fixed: dict[str, list[str]]
    written: list[str]
    is_repeated: NotRequired[bool]


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call that the user's message asks for, and that is not made yet."""

    tool: str
    fixed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Values that the user named, by argument."""
    written: frozenset[str] = frozenset()
    """Arguments whose texts and times are written later."""
    is_repeated: bool = False
    """Whether the user wants a repetition, such as each Monday."""

    @classmethod
    def widest(cls, tool: str, arguments: Mapping[str, Any], message: str) -> Self:
        """The planned call that fits this call, if any planned call does."""
        values_by_argument = {
            name: list(values_in(value)) for name, value in _without_empty(arguments).items()
        }
        return cls(
            tool, values_by_argument, frozenset(values_by_argument), is_repeated=True
        ).restrict_to(message)

    def restrict_to(self, message: str) -> Self:
        """The planned call with only the user's own values fixed. Others are written later."""
        message_values = {
            name: values
            for name, values in self.fixed.items()
            if values and all(is_in(value, message) for value in values)
        }
        written_later = self.written | (self.fixed.keys() - message_values.keys())
        return replace(self, fixed=message_values, written=written_later)

    def fits(self, arguments: Mapping[str, Any], provenance: PromptProvenance) -> bool:
        """Whether a call is the planned one.

        The call has all fixed values, and mere text in the arguments that are written later. The
        fixed values stand in the user's message, and one of them is a name.
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
        """Whether the plan permits this value of an argument."""
        if name in self.fixed:
            return _verbatim_values(values_in(value)) == _verbatim_values(self.fixed[name])
        return name in self.written and isinstance(value, str) and provenance.is_prose(value)

    def is_made_by(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        """Whether a call that was made has the planned tool and all fixed values."""
        return tool == self.tool and all(
            name in arguments
            and _verbatim_values(values_in(arguments[name])) == _verbatim_values(values)
            for name, values in self.fixed.items()
        )

    def to_state(self) -> PlannedCallState:
        """The planned call as JSON."""
        values_by_argument = {name: list(values) for name, values in self.fixed.items()}
        state: PlannedCallState = {
            "tool": self.tool,
            "fixed": values_by_argument,
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
    """The planned calls that are not made yet. Each planned call may be made once.

    A call that was made removes all planned calls with fixed values that it fits, and one planned
    call of its tool without fixed values.
    """
    calls, planned_calls = list(past_calls), list(plan)
    with_values = [
        planned_call
        for planned_call in planned_calls
        if planned_call.fixed and not any(planned_call.is_made_by(*call) for call in calls)
    ]
    without_values = [planned_call for planned_call in planned_calls if not planned_call.fixed]
    for tool, _ in calls:
        tools = [planned_call.tool for planned_call in without_values]
        if tool in tools:
            del without_values[tools.index(tool)]
    return (*with_values, *without_values)


def _without_empty(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that are not empty."""
    return {name: value for name, value in arguments.items() if value not in (None, "", [], {})}


def _verbatim_values(values: Iterable[str]) -> list[str]:
    """The verbatim forms of the values, sorted."""
    return sorted(map(verbatim_of, values))


def _names_something(value: str) -> bool:
    """Whether the value has enough letters and digits to be a name."""
    letters = letters_of(value)
    return len(letters) >= _LEAST_NAMED or any(letter >= _FIRST_WIDE for letter in letters)
