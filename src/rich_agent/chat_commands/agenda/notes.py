"""/notes: a user's notes and folders, with buttons that open and delete notes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
    paging,
)
from rich_agent.domain.agenda.plans import Note, NoteFolder
from rich_agent.domain.text import shorten, whole_number
from rich_agent.phrases import say
from rich_agent.ports.agenda import Notes
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.rendering.notices import pages, section, together, unlinked
from rich_agent.times import Clocks

PAGE_VERB = "notes1"
OPEN_VERB = "noteopen1"
DELETE_VERB = "notedelete1"
UNDO_VERB = "noteundo1"
PER_PAGE = 8
_PER_ROW = 4
_MOST_FOLDERS = 20
_LINE_LENGTH = 100
_NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class NotePlace:
    """A page of the notes of one folder, or of all with folder 0."""

    user_id: int
    folder_id: int
    offset: int
    clocks: Clocks

    @property
    def locale(self) -> str:
        """The language of its reader."""
        return self.clocks.locale

    @property
    def data(self) -> str:
        """The page as a button names it."""
        return f"{self.folder_id}:{self.offset}"


@dataclass(frozen=True, slots=True)
class NoteLists:
    """Shows users their own notes."""

    notes: Notes

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers(
            {"notes": self.answer},
            {
                PAGE_VERB: self.turn_page,
                OPEN_VERB: self.open,
                DELETE_VERB: self.delete,
                UNDO_VERB: self.undo,
            },
        )

    async def answer(self, request: CommandRequest) -> Reply:
        """The newest notes, of all folders or of the one that is named, which is made if needed."""
        name = shorten(request.args, _NAME_LENGTH)
        folder_id = (await self.notes.open_folder(request.user_id, name)).id if name else 0
        return Reply(await self._page(NotePlace(request.user_id, folder_id, 0, request.clocks)))

    async def turn_page(self, press: PressRequest) -> PressReply:
        """Another page, or another folder, in the same message."""
        _, place = _pressed(f":{press.argument}", press)
        return PressReply(message=await self._page(place))

    async def open(self, press: PressRequest) -> PressReply:
        """One note with its text."""
        argument, _, part = press.argument.rpartition(":")
        note_id, place = _pressed(argument, press)
        note = await self.notes.find(place.user_id, note_id)
        number = whole_number(part) or 0
        shown = _opened(note, number, place) if note else await self._page(place)
        return PressReply("" if note else say(press.locale, "note-gone"), shown)

    async def delete(self, press: PressRequest) -> PressReply:
        """Delete a note."""
        note_id, place = _pressed(press.argument, press)
        note = await self.notes.find(place.user_id, note_id)
        is_gone = note is None or not await self.notes.delete(place.user_id, note_id)
        page = await self._page(place)
        if note and not is_gone:
            done = unlinked(say(press.locale, "note-deleted", title=note.title))
            undo = Button(say(press.locale, "undo-button"), f"{UNDO_VERB}:{note_id}:{place.data}")
            page = replace(together(done, page), buttons=((undo,), *page.buttons))
        return PressReply(say(press.locale, "note-gone") if is_gone else "", page)

    async def undo(self, press: PressRequest) -> PressReply:
        """Take back a deletion."""
        note_id, place = _pressed(press.argument, press)
        is_back = await self.notes.restore(place.user_id, note_id)
        notice = "" if is_back else say(press.locale, "undo-too-late")
        return PressReply(notice, await self._page(place))

    async def _page(self, place: NotePlace) -> RenderedMessage:
        folders = await self.notes.folders(place.user_id)
        found, total = await self.notes.page(
            place.user_id, PER_PAGE, place.offset, place.folder_id or None
        )
        if not found and total:
            return await self._page(replace(place, offset=(total - 1) // PER_PAGE * PER_PAGE))
        numbered = list(enumerate(found, start=place.offset + 1))
        here = next((folder.name for folder in folders if folder.id == place.folder_id), "")
        listed = section(
            here or say(place.locale, "notes-heading", count=total),
            *(f"{number}. {_line(note, place.clocks)}" for number, note in numbered),
        )
        if not total:
            key = "notes-folder-empty" if here else "notes-empty"
            listed = unlinked(say(place.locale, key, folder=here))
        opening = [
            Button(f"{number}", f"{OPEN_VERB}:{note.id}:{place.data}:0")
            for number, note in numbered
        ]
        turning = paging(f"{PAGE_VERB}:{place.folder_id}", place.offset, PER_PAGE, total)
        others = _folder_buttons(folders[:_MOST_FOLDERS], place)
        return replace(listed, buttons=(*_in_rows(opening), *turning, *_in_rows(others)))


def _pressed(argument: str, press: PressRequest) -> tuple[int, NotePlace]:
    """The number in a button, and the page that it is on."""
    note_id, folder_id, offset = (
        whole_number(part) or 0 for part in (*argument.split(":"), "", "")[:3]
    )
    return note_id, NotePlace(press.user_id, folder_id, offset, press.clocks)


def _line(note: Note, clocks: Clocks) -> str:
    return f"{shorten(note.title, _LINE_LENGTH)} ({clocks.day_of(note.updated_at)})"


def _opened(note: Note, part: int, place: NotePlace) -> RenderedMessage:
    """A part of a note, with buttons that lead to the others."""
    parts = pages(note.content) or [RenderedMessage("")]
    part = min(part, len(parts) - 1)
    turning = paging(f"{OPEN_VERB}:{note.id}:{place.data}", part, 1, len(parts))
    leaving = (
        Button(say(place.locale, "notes-back"), f"{PAGE_VERB}:{place.data}"),
        Button(say(place.locale, "note-delete"), f"{DELETE_VERB}:{note.id}:{place.data}"),
    )
    return replace(together(section(note.title), parts[part]), buttons=(*turning, leaving))


def _folder_buttons(folders: Sequence[NoteFolder], place: NotePlace) -> list[Button]:
    """The other folders; all notes are one of them."""
    others = [folder for folder in folders if folder.id != place.folder_id]
    named = [
        Button(
            shorten(f"{folder.name} ({folder.notes})", _NAME_LENGTH), f"{PAGE_VERB}:{folder.id}:0"
        )
        for folder in others
    ]
    everything = Button(say(place.locale, "notes-all"), f"{PAGE_VERB}:0:0")
    return [*named, everything] if place.folder_id else named


def _in_rows(buttons: list[Button]) -> Keyboard:
    return tuple(
        tuple(buttons[start : start + _PER_ROW]) for start in range(0, len(buttons), _PER_ROW)
    )
