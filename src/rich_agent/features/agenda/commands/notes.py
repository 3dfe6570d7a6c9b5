"""/notes: a user's notes and folders, with buttons that open and delete notes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rich_agent.feature import Button, Clocks, CommandRequest, PressReply, PressRequest, Reply, say
from rich_agent.feature.conversation import CommandAnswer, PressAnswer
from rich_agent.feature.lists import ListPage, ListPlace, PagedList, turning_row
from rich_agent.feature.telegram import (
    Keyboard,
    RenderedMessage,
    pages,
    section,
    together,
    unlinked,
)
from rich_agent.feature.text import shorten, whole_number
from rich_agent.features.agenda.domain.plans import Note, NoteFolder
from rich_agent.features.agenda.ports import Notes

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
class NoteLists:
    """Shows users their own notes."""

    notes: Notes

    def commands(self) -> Mapping[str, CommandAnswer]:
        """The answer to the command, by its name."""
        return {"notes": self.answer}

    def presses(self) -> Mapping[str, PressAnswer]:
        """The answers to presses of its buttons, by verb."""
        return {
            PAGE_VERB: self._pages.turn,
            OPEN_VERB: self.open,
            DELETE_VERB: self.delete,
            UNDO_VERB: self.undo,
        }

    @property
    def _pages(self) -> PagedList[Note]:
        """The notes of the folder whose id is the part of the list, or all notes with "0"."""
        return PagedList(PAGE_VERB, PER_PAGE, self._load, self._render)

    async def answer(self, request: CommandRequest) -> Reply:
        """The newest notes of all folders, or of the named folder, which is made if it is new."""
        folder_name = shorten(request.args, _NAME_LENGTH)
        folder = await self.notes.open_folder(request.user_id, folder_name) if folder_name else None
        folder_id = folder.id if folder else 0
        place = ListPlace(request.user_id, request.clocks, part=f"{folder_id}")
        return Reply(await self._pages.show(place))

    async def open(self, press: PressRequest) -> PressReply:
        """One note with its text."""
        argument, _, part_number = press.argument.rpartition(":")
        note_id, place = _note_on(press, argument)
        note = await self.notes.find(place.user_id, note_id)
        part = whole_number(part_number) or 0
        page = _note_page(note, part, place) if note else await self._pages.show(place)
        return PressReply("" if note else say(press.locale, "agenda-note-gone"), page)

    async def delete(self, press: PressRequest) -> PressReply:
        """Delete a note."""
        note_id, place = _note_on(press, press.argument)
        note = await self.notes.find(place.user_id, note_id)
        is_gone = note is None or not await self.notes.delete(place.user_id, note_id)
        page = await self._pages.show(place)
        if note and not is_gone:
            notice = unlinked(say(press.locale, "agenda-note-deleted", title=note.title))
            undo = Button(say(press.locale, "undo-button"), f"{UNDO_VERB}:{note_id}:{place.data}")
            page = replace(together(notice, page), buttons=((undo,), *page.buttons))
        return PressReply(say(press.locale, "agenda-note-gone") if is_gone else "", page)

    async def undo(self, press: PressRequest) -> PressReply:
        """Take back a deletion."""
        note_id, place = _note_on(press, press.argument)
        is_restored = await self.notes.restore(place.user_id, note_id)
        notice = "" if is_restored else say(press.locale, "undo-too-late")
        return PressReply(notice, await self._pages.show(place))

    async def _load(self, place: ListPlace) -> tuple[Sequence[Note], int]:
        folder_id = _folder_id(place) or None
        return await self.notes.page(place.user_id, PER_PAGE, place.offset, folder_id)

    async def _render(self, page: ListPage[Note]) -> RenderedMessage:
        place = page.place
        folders = await self.notes.folders(place.user_id)
        folder_names = (folder.name for folder in folders if folder.id == _folder_id(place))
        folder_name = next(folder_names, "")
        listing = section(
            folder_name or say(place.locale, "agenda-notes-heading", count=page.total),
            *(f"{number}. {_line(note, place.clocks)}" for number, note in page.numbers_and_items),
        )
        if not page.total:
            key = "agenda-notes-folder-empty" if folder_name else "agenda-notes-empty"
            listing = unlinked(say(place.locale, key, folder=folder_name))
        note_buttons = [
            Button(f"{number}", f"{OPEN_VERB}:{note.id}:{place.data}:0")
            for number, note in page.numbers_and_items
        ]
        folder_buttons = _folder_buttons(folders[:_MOST_FOLDERS], place)
        return replace(
            listing, buttons=(*_in_rows(note_buttons), *page.turning, *_in_rows(folder_buttons))
        )


def _note_on(press: PressRequest, argument: str) -> tuple[int, ListPlace]:
    """The id of a button's note, and the page of the list that the button was on."""
    note_id, _, data = argument.partition(":")
    return whole_number(note_id) or 0, ListPlace.on_button(press, data)


def _folder_id(place: ListPlace) -> int:
    return whole_number(place.part) or 0


def _line(note: Note, clocks: Clocks) -> str:
    return f"{shorten(note.title, _LINE_LENGTH)} ({clocks.day_of(note.updated_at)})"


def _note_page(note: Note, part: int, place: ListPlace) -> RenderedMessage:
    """A part of a note, with buttons that lead to the others."""
    parts = pages(note.content) or [RenderedMessage("")]
    part = min(part, len(parts) - 1)
    turning = turning_row(f"{OPEN_VERB}:{note.id}:{place.data}", part, 1, len(parts))
    last_row = (
        Button(say(place.locale, "agenda-notes-back"), f"{PAGE_VERB}:{place.data}"),
        Button(say(place.locale, "agenda-note-delete"), f"{DELETE_VERB}:{note.id}:{place.data}"),
    )
    return replace(together(section(note.title), parts[part]), buttons=(*turning, last_row))


def _folder_buttons(folders: Sequence[NoteFolder], place: ListPlace) -> list[Button]:
    """The buttons of the other folders, with one for all notes in a folder."""
    other_folders = [folder for folder in folders if folder.id != _folder_id(place)]
    buttons = [
        Button(
            shorten(f"{folder.name} ({folder.notes})", _NAME_LENGTH), f"{PAGE_VERB}:{folder.id}:0"
        )
        for folder in other_folders
    ]
    all_notes_button = Button(say(place.locale, "agenda-notes-all"), f"{PAGE_VERB}:0:0")
    return [*buttons, all_notes_button] if _folder_id(place) else buttons


def _in_rows(buttons: list[Button]) -> Keyboard:
    return tuple(
        tuple(buttons[start : start + _PER_ROW]) for start in range(0, len(buttons), _PER_ROW)
    )
