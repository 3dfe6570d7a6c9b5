"""Tools that read and write a user's notes."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field
from typing_extensions import override

from rich_agent.phrases import say
from rich_agent.ports.agenda import Notes
from rich_agent.ports.tools import Asker
from rich_agent.tools.arguments import LenientArguments, Limit, RowId, Title, told
from rich_agent.tools.changing import undo_create
from rich_agent.tools.tool import Outcome, Tool, ToolRefusedError

_MOST_CHARS, _FEWEST_CHARS = 9_000, 80
"""What a model is given of all notes of a list, and at least of each."""


class GetRecentNotes(LenientArguments):
    """Which notes to list."""

    folder_id: RowId | None = None
    limit: Limit = 10


class CreateNote(LenientArguments):
    """The new note."""

    title: Title
    content: str = Field(max_length=20_000, description="Markdown.")
    folder_id: RowId | None = None

    @override
    def added(self) -> tuple[str, ...]:
        return self.title, self.content


@dataclass(frozen=True, slots=True)
class NoteTools:
    """Acts on the notes of the user who asks."""

    notes: Notes

    def tools(self) -> Sequence[Tool]:
        """Every tool for notes."""
        return (
            Tool(
                "get_recent_notes",
                "Read the user's newest notes, and the names of their folders.",
                GetRecentNotes,
                self.get_recent_notes,
            ),
            Tool(
                "create_note",
                "Write a note for the user.",
                CreateNote,
                self.create_note,
                "change",
                undo_create(self.notes, "note"),
            ),
        )

    async def get_recent_notes(self, wanted: GetRecentNotes, asker: Asker) -> Outcome:
        """The newest notes; long ones are cut, so that all fit."""
        folders = {folder.id: folder.name for folder in await self.notes.folders(asker.user_id)}
        if wanted.folder_id is not None and wanted.folder_id not in folders:
            raise _no_folder(wanted.folder_id)
        found, total = await self.notes.page(
            asker.user_id, wanted.limit, folder_id=wanted.folder_id
        )
        share = max(_FEWEST_CHARS, _MOST_CHARS // max(1, len(found)))
        rows = [
            {
                "note_id": note.id,
                "title": note.title,
                "content": note.content[:share],
                **told({"cut": len(note.content) > share, "folder_id": note.folder_id}),
                "updated_at": note.updated_at,
            }
            for note in found
        ]
        named = [{"folder_id": number, "name": name} for number, name in folders.items()]
        return Outcome(
            {"total_count": total, "has_more": total > len(rows), "folders": named, "notes": rows}
        )

    async def create_note(self, new: CreateNote, asker: Asker) -> Outcome:
        """The id of the new note."""
        note = await self.notes.create(asker.user_id, new.title, new.content, new.folder_id)
        if note is None:
            raise _no_folder(new.folder_id)
        data = {"note_id": note.id, "title": note.title, "created_at": note.created_at}
        done = say(asker.locale, "note-created", title=note.title)
        return Outcome(data, done=done, undo={"note_id": note.id, "title": note.title})


def _no_folder(folder_id: int | None) -> ToolRefusedError:
    return ToolRefusedError(
        f"Folder {folder_id} was not found. Leave folder_id out, or see get_recent_notes."
    )
