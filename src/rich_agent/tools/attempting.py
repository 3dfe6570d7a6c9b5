"""Runs a call so that its failure is a result, which says what went wrong."""

import json
from collections.abc import Awaitable

import structlog

from rich_agent.domain.tools import CallStatus, ResultState, ToolCall, ToolResult
from rich_agent.errors import (
    DatabaseUnavailableError,
    LaneLostError,
    OutcomeUnknownError,
    RichAgentError,
    UpstreamTimeoutError,
)
from rich_agent.tools.tool import ToolRefusedError

MOST_RESULT_CHARS = 12_000
"""What a model is given of a result."""
_log = structlog.get_logger()


async def attempt(call: ToolCall, work: Awaitable[ResultState], *, acts: bool) -> ResultState:
    """The result of the work, or how it failed.

    A call that `acts` and got no answer may have been done: its status is `unknown`.

    Raises: LaneLostError, DatabaseUnavailableError.
    """
    try:
        return await work
    except (LaneLostError, DatabaseUnavailableError):
        raise
    except (UpstreamTimeoutError, OutcomeUnknownError) as error:
        told = f"{error}. It may have been done, or not: tell the user." if acts else str(error)
        return failed(call, told, "unknown" if acts else "error")
    except ToolRefusedError as error:
        refused = failed(call, str(error))
        return {**refused, "question": error.question} if error.question else refused
    except RichAgentError as error:
        return failed(call, " ".join(filter(None, [str(error), error.hint])))
    except Exception:  # noqa: BLE001 - a tool that breaks must not end the turn
        _log.exception("tool.broke", tool=call.name)
        return failed(call, "The tool broke. Tell the user that it did not work.")


def failed(call: ToolCall, message: str, status: CallStatus = "error") -> ResultState:
    """The result of a call that failed, with what the model is told of it."""
    content = json.dumps({"error": message[:MOST_RESULT_CHARS]}, ensure_ascii=False)
    return ToolResult(call.id, status, content).to_state()
