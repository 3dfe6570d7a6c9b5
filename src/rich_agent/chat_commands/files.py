"""/files and the buttons below answers: what users sent is listed, remembered, forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich_agent.chat_commands.paged_list import ListPage, ListPlace, PagedList
from rich_agent.chat_commands.replies import Handlers, PressReply, PressRequest
from rich_agent.domain.text import shorten, whole_number
from rich_agent.domain.user_files import UserFile
from rich_agent.phrases import say, say_parts
from rich_agent.ports.bot_api import Button, Keyboard, RenderedMessage
from rich_agent.ports.user_files import UserFiles
from rich_agent.rendering.notices import unlinked
from rich_agent.times import Clocks

PAGE_VERB = "files1"
CHANGE_VERB = "file1"
KEEP_FILES_VERB = "keepfiles1"
_DATA_BYTES = 64
_PER_PAGE = 8
_NAME_CHARS = 60


def keeping_row(locale: str, files: Sequence[int], *, current: bool | None = None) -> Keyboard:
    """A row of buttons to keep these files or not, the choice marked; no row without files.

    As many files as the data of a button has room for. Source: Bot API, InlineKeyboardButton.
    """
    if not files:
        return ()
    numbers = ",".join(map(str, files))[: _DATA_BYTES - len(f"{KEEP_FILES_VERB}:yes:")]
    if len(numbers) < len(",".join(map(str, files))):
        numbers = numbers.rpartition(",")[0]
    choices = (("yes", "file-keep-button", True), ("no", "file-only-here-button", False))
    return (
        tuple(
            Button(
                f"{say(locale, phrase)} ✓" if current is is_kept else say(locale, phrase),
                f"{KEEP_FILES_VERB}:{choice}:{numbers}",
            )
            for choice, phrase, is_kept in choices
        ),
    )


@dataclass(frozen=True, slots=True)
class FileCommands:
    """Answers from the list of a user's files; no model is called."""

    files: UserFiles

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        pages = self._pages
        return Handlers(
            {"files": pages.answer},
            {PAGE_VERB: pages.turn, CHANGE_VERB: self.change, KEEP_FILES_VERB: self.choose},
        )

    @property
    def _pages(self) -> PagedList[UserFile]:
        return PagedList(PAGE_VERB, _PER_PAGE, self._load, self._render)

    async def change(self, press: PressRequest) -> PressReply:
        """Remember a file, remember it no longer, or forget it; the list is shown anew."""
        what, number, data = (*press.argument.split(":"), "", "", "")[:3]
        file_id, user_id = whole_number(number), press.user_id
        if file_id is None:
            return PressReply(say(press.locale, "button-outdated"))
        if what == "forget":
            count = await self.files.forget(user_id, [file_id])
            phrase = "file-forgotten"
        else:
            count = await self.files.keep(user_id, [file_id], kept=what == "keep")
            phrase = "file-kept" if what == "keep" else "file-not-kept"
        notice = (
            say(press.locale, phrase, count=1) if count else say(press.locale, "button-outdated")
        )
        page = await self._pages.show(ListPlace.on_button(press, data))
        return PressReply(notice, page)

    async def choose(self, press: PressRequest) -> PressReply:
        """Set whether the files of a question are kept, as a button below its answer says."""
        choice, _, file_numbers = press.argument.partition(":")
        file_ids = [
            file_id
            for keyboard_row in file_numbers.split(",")
            if (file_id := whole_number(keyboard_row)) is not None
        ]
        is_kept = choice == "yes"
        file_count = await self.files.keep(press.user_id, file_ids, kept=is_kept)
        if not file_count:
            return PressReply(say(press.locale, "button-outdated"))
        other_rows = [row for row in press.keyboard if not _is_keeping(row)]
        (row,) = keeping_row(press.locale, file_ids, current=is_kept)
        # In the place where it was: the thumbs of an answer come last.
        row_index = next(
            (
                index
                for index, keyboard_row in enumerate(press.keyboard)
                if _is_keeping(keyboard_row)
            ),
            len(other_rows),
        )
        rows = (*other_rows[:row_index], row, *other_rows[row_index:])
        notice = say(press.locale, "file-kept" if is_kept else "file-not-kept", count=file_count)
        return PressReply(notice, buttons=rows)

    async def _load(self, place: ListPlace) -> tuple[Sequence[UserFile], int]:
        files = await self.files.all_of(place.user_id)
        return files[place.offset : place.offset + _PER_PAGE], len(files)

    async def _render(self, page: ListPage[UserFile]) -> RenderedMessage:
        clocks, locale = page.place.clocks, page.place.locale
        if not page.total:
            return RenderedMessage(say(locale, "files-none"))
        lines = [_line(number, file, clocks) for number, file in page.numbers_and_items]
        title, hint = say(locale, "files-title", count=page.total), say(locale, "files-hint")
        text = "\n".join([title, "", *lines, "", hint])
        rows = tuple(_row(number, file, page.place) for number, file in page.numbers_and_items)
        return replace(unlinked(text), buttons=(*rows, *page.turning))


def _line(number: int, file: UserFile, clocks: Clocks) -> str:
    key = "files-line-kept" if file.is_kept else "files-line"
    name, day = shorten(file.name, _NAME_CHARS), clocks.day_of(file.sent_at)
    line = say(clocks.locale, key, number=str(number), name=name, sent=day)
    if parts := say_parts(clocks.locale, file.inventory.unread):
        return f"{line}\n{say(clocks.locale, 'files-line-unread', parts=parts)}"
    return line


def _row(number: int, file: UserFile, place: ListPlace) -> tuple[Button, ...]:
    keep, sign = ("leave", "📌 ✓") if file.is_kept else ("keep", "📌")
    return (
        Button(f"{number} {sign}", f"{CHANGE_VERB}:{keep}:{file.id}:{place.data}"),
        Button(f"{number} 🗑", f"{CHANGE_VERB}:forget:{file.id}:{place.data}"),
    )


def _is_keeping(row: Sequence[Button]) -> bool:
    return any(button.data.startswith(f"{KEEP_FILES_VERB}:") for button in row)
