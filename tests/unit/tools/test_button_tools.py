"""Tools that buttons of features call."""

from collections.abc import Mapping
from typing import Any

from rich_agent.domain.tools import ToolCall
from rich_agent.feature import Arguments, Asker, Outcome, Tool
from rich_agent.feature.tools import make_button_tools
from tests.twins.tools import InMemoryToolExecutions


async def test_call_of_a_button_runs_unasked_and_is_taken_back() -> None:
    """By the number of the press; one that was taken back is not there again."""
    lamps: list[str] = []

    async def remove(_: Arguments, __: Asker) -> Outcome:
        lamps.append("out")
        return Outcome({}, done="Out.", undo={"lamp": "out"})

    async def restore(undo: Mapping[str, Any], _: Asker) -> str:
        lamps.remove(undo["lamp"])
        return "On again."

    switch = Tool("remove_lamp", "Removes it.", Arguments, remove, "delete", restore)
    tools = make_button_tools([switch], InMemoryToolExecutions())
    result = await tools.run(ToolCall("press", "remove_lamp"), Asker(1, "tg:1", "tg:7"))
    assert (result.done, result.undoable, lamps) == ("Out.", True, ["out"])
    assert await tools.undo(1, "tg:7", "en") == ["On again."]
    assert await tools.undo(1, "tg:7", "en") == []
    assert lamps == []
