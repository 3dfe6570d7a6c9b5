"""Requests of programs for runs: their bodies, their names, and the runs that they begin."""

from typing import Annotated, Final, TypeVar

from pydantic import BaseModel, Field, ValidationError

from rich_agent.domain.runs import Run, RunAsked
from rich_agent.ports.runs import TooManyRunsError
from rich_agent.runs.service import RunService
from rich_agent.web.access import Caller
from rich_agent.web.refusals import RequestRefusedError

T = TypeVar("T", bound=BaseModel)
_NAME: Final = r"^[^\x00-\x1f\x7f]*$"
ClientId = Annotated[str, Field(max_length=200, pattern=_NAME)]
"""A name that a program chooses."""


def read_body(model: type[T], body: bytes) -> T:
    """Parse a body as JSON of the given model. Raises: RequestRefusedError."""
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first_error = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise bad_request(
            f"{'.'.join(map(str, first_error['loc'])) or 'body'}: {first_error['msg']}."
        ) from None


def bad_request(message: str, status: int = 400, param: str = "") -> RequestRefusedError:
    """The refusal of a request with an unreadable body or an invalid parameter."""
    code = "invalid_value" if param else "invalid_request"
    return RequestRefusedError(status, code, message)


async def begin_run(
    service: RunService, caller: Caller, run_id: str, thread: str, request: RunAsked
) -> Run:
    """Begin a run of the caller. Raises: RequestRefusedError if too many runs wait already."""
    try:
        return await service.begin(caller.user_id, run_id, thread, request)
    except TooManyRunsError as error:
        raise RequestRefusedError(
            429, "too_many_runs", "Too many answers wait already.", hint=error.hint
        ) from error
