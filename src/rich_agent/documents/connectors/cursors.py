"""Cursors that contain a state, as short texts."""

import zlib
from base64 import b64decode, b64encode
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from rich_agent.documents.connectors.port import CursorExpiredError

_MOST_BYTES = 500_000_000
_UNREADABLE = "the stored position cannot be read"
_State = TypeVar("_State", bound=BaseModel)


def state_in(cursor: str, kind: type[_State]) -> _State:
    """The state in a cursor in JSON. Raises: CursorExpiredError if it cannot be read."""
    try:
        return kind.model_validate_json(cursor)
    except ValidationError as error:
        raise CursorExpiredError(_UNREADABLE) from error


def pack_state(state: BaseModel) -> str:
    """The state as a compressed cursor."""
    return b64encode(zlib.compress(state.model_dump_json().encode(), 1)).decode()


def unpack_state(cursor: str, kind: type[_State]) -> _State:
    """The state in a compressed cursor; the default state of `kind` for "".

    Raises: CursorExpiredError if it cannot be read.
    """
    if not cursor:
        return kind()
    try:
        state_json = zlib.decompressobj().decompress(b64decode(cursor, validate=True), _MOST_BYTES)
        return kind.model_validate_json(state_json)
    except (ValueError, ValidationError, zlib.error) as error:
        raise CursorExpiredError(_UNREADABLE) from error
