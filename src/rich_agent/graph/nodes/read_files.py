"""N13: reads the files that came with the message, in processes that can be ended."""

from langgraph.runtime import Runtime

from rich_agent.graph.files.receiving import as_images, read_all
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState, TurnUpdate
from rich_agent.graph.views import files_of


async def read_files(state: TurnState, runtime: Runtime[NodeContext]) -> TurnUpdate:
    """The text of each file is stored as private material of its user; the state names it.

    What cannot be read is told, and stops nothing else. An image becomes one of the message.
    Raises: UpstreamError, where the same file may be had later; DailyLimitError.
    """
    files, pictures = await read_all(files_of(state), state, runtime)
    return {"files": files, **as_images(state, pictures)}
