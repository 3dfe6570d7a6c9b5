"""The product's own tools, all of them, with nothing behind them: for what is said of tools."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rich_agent.composition.tools import ToolUpstreams, make_tools
from rich_agent.ports.tools import Asker
from rich_agent.settings.settings import Settings
from rich_agent.tools.all_tools import AllTools
from rich_agent.tools.tool import Arguments, Outcome, Tool, ToolRefusedError
from tests.scripted import ScriptedFiles, ScriptedWeb
from tests.twins.tools import InMemoryToolExecutions


class Unconnected:
    """Stands for every repository, as long as none of them is asked for anything."""

    def __getattr__(self, _: str) -> "Unconnected":
        """The same for whatever belongs to it."""
        return self


def every_tool(
    web: ScriptedWeb | None = None, outcomes: Mapping[str, Outcome] | None = None
) -> AllTools:
    """The tools as a bot has them that can read files, and search the web if there is a `web`.

    A tool that is called gives its outcome, or an error where it has none.
    """
    nothing: Any = Unconnected()
    made = make_tools(Settings(), nothing, None, ToolUpstreams(web=web, files=ScriptedFiles()))
    tools = [_with_outcome(tool, (outcomes or {}).get(tool.name)) for tool in made.own.tools]
    own = replace(made.own, tools=tools, executions=InMemoryToolExecutions())
    return replace(made, own=own)


def _with_outcome(tool: Tool, outcome: Outcome | None) -> Tool:
    async def run(_arguments: Arguments, _asker: Asker) -> Outcome:
        if outcome is None:
            raise ToolRefusedError("It does not work at the moment.")
        return outcome

    return replace(tool, run=run, card_extras=None)
