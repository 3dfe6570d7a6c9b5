"""The part of a turn's state that is about files: by reference, without their text."""

from typing import Literal, NotRequired, TypedDict

from rich_agent.domain.user_files import FileRefusal


class ReadFileState(TypedDict):
    """A file that came with the turn and was read; `id` is that of `UserFile`.

    `has_macros`: programs in it were not run.
    """

    id: int
    file_id: str
    name: str
    units: int
    is_kept: bool
    unread_pages: int
    has_macros: NotRequired[bool]


class RefusedFileState(TypedDict):
    """A file or page that came with the turn and cannot be read."""

    name: str
    reason: FileRefusal
    is_page: NotRequired[bool]


class UsedFileState(TypedDict):
    """The part of a file that the answer was written from: `read` of its `units`.

    "whole": its text is among the passages; "searched": the parts nearest to the question;
    "in_parts": a model read each part and noted what matters.
    """

    id: int
    name: str
    how: Literal["whole", "searched", "in_parts"]
    units: int
    read: int


class FilesState(TypedDict, total=False):
    """The files of a turn."""

    read: list[ReadFileState]
    refused: list[RefusedFileState]
    used: list[UsedFileState]
