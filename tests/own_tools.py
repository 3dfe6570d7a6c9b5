"""The product's own tools, all of them, with nothing behind them: for what is said of tools."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

from rich_agent.composition.features import OpenFeatures
from rich_agent.composition.tools import ToolUpstreams, make_tools
from rich_agent.feature.parts import Parts
from rich_agent.ports.tools import Asker
from rich_agent.settings.live import LiveSettings
from rich_agent.settings.settings import Settings
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError
from tests.scripted import ScriptedWeb
from tests.twins.tools import InMemoryToolExecutions


class Unconnected:
    """Stands for every repository, as long as none of them is asked for anything."""

    def __getattr__(self, _: str) -> "Unconnected":
        """The same for whatever belongs to it."""
        return self


def every_tool(
    web: ScriptedWeb | None = None,
    outcomes: Mapping[str, Outcome] | None = None,
    more: Sequence[Tool] = (),
) -> AllTools:
    """The tools as a bot has them that can read files, and search the web if there is a `web`.

    `more` are those of features. A tool that is called gives its outcome, or an error where it has
    none.
    """
    nothing: Any = Unconnected()
    outside = ToolUpstreams(web=web)
    first = [*TOOLS_OF_FEATURES["agenda"], *TOOLS_OF_FEATURES["reminder"]]
    tools_of_features = [*first, *more, *TOOLS_OF_FEATURES["tables"]]
    features = OpenFeatures(Parts(tools=tools_of_features))
    made = make_tools(LiveSettings(Settings()), nothing, None, outside, features)
    tools = [_with_outcome(tool, (outcomes or {}).get(tool.name)) for tool in made.own.tools]
    own = replace(made.own, tools=tools, executions=InMemoryToolExecutions())
    return replace(made, own=own)


def _tools_of_agenda() -> Sequence[Tool]:
    """The tools of the agenda, unless that is taken out."""
    with suppress(ModuleNotFoundError):
        opening = import_module("rich_agent.features.agenda.opening")
        nothing: Any = Unconnected()
        return list(opening.make_tools(nothing, nothing, lambda: datetime.now(UTC)))
    return []


def _tools_for_reminders() -> Sequence[Tool]:
    """The tools for reminders, unless those are taken out."""
    with suppress(ModuleNotFoundError):
        module = import_module("rich_agent.features.reminder.tools")
        return list(module.ReminderTools(Unconnected(), Unconnected()).tools())
    return []


def _tools_that_read_files() -> Sequence[Tool]:
    """The tool for tables, unless that is taken out."""
    with suppress(ModuleNotFoundError):
        return [import_module("rich_agent.features.tables.tool").TABLE_TOOL]
    return []


TOOLS_OF_FEATURES: Mapping[str, Sequence[Tool]] = {
    "agenda": _tools_of_agenda(),
    "reminder": _tools_for_reminders(),
    "tables": _tools_that_read_files(),
}
"""Tools of the project's features that most turns offer; none of a feature that is taken out."""


def _with_outcome(tool: Tool, outcome: Outcome | None) -> Tool:
    async def run(_arguments: Arguments, _asker: Asker) -> Outcome:
        if outcome is None:
            raise ToolRefusedError("It does not work at the moment.")
        return outcome

    return replace(tool, run=run, card_extras=None)
