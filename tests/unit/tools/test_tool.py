"""A tool as a model sees it."""

from rich_agent.ports.tools import Asker
from rich_agent.tools.tool import Arguments, Outcome, Tool


class _Words(Arguments):
    """Words that the model is not told."""

    words: str


async def _run(_: _Words, __: Asker) -> Outcome:
    return Outcome({})


def test_spec_makes_the_schema_once() -> None:
    """Making it takes a millisecond, and a turn offers twenty tools; it names the arguments."""
    tool = Tool("say", "Say it.", _Words, _run)
    asking, acting = tool.spec(asks=True), tool.spec(asks=False)
    assert asking.parameters is acting.parameters
    assert asking.parameters["required"] == ["words"]
    assert not {"title", "description"} & set(asking.parameters)
