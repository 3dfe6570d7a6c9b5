"""The product's own tools, all of them, with nothing behind them: for what is said of tools."""

from typing import Any

from rich_agent.composition.tools import ToolUpstreams, make_tools
from rich_agent.settings.settings import Settings
from rich_agent.tools.all_tools import AllTools
from tests.scripted import ScriptedFiles, ScriptedWeb


class Unconnected:
    """Stands for every repository, as long as none of them is asked for anything."""

    def __getattr__(self, _: str) -> "Unconnected":
        """The same for whatever belongs to it."""
        return self


def every_tool(web: ScriptedWeb | None = None) -> AllTools:
    """The tools as a bot has them that can read files, and search the web if there is a `web`."""
    nothing: Any = Unconnected()
    return make_tools(Settings(), nothing, None, ToolUpstreams(web=web, files=ScriptedFiles()))
