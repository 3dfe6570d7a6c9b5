"""/files and the buttons below answers: what users sent is listed, remembered, forgotten."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich_agent.chat_commands.presses import paging, replace_pressed
from rich_agent.chat_commands.registry import CommandRequest, Reply
from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.text import shorten, whole_number
from rich_agent.domain.user_files import UserFile
from rich_agent.errors import UpstreamError
from rich_agent.phrases import say
from rich_agent.ports.bot_api import Button, RenderedMessage, TelegramApi
from rich_agent.ports.user_files import UserFiles
from rich_agent.runtime.surviving import survived
from rich_agent.telegram.deliver.keeping import KEEP_FILES_VERB, keeping_row
from rich_agent.telegram.deliver.messenger import Hold
from rich_agent.telegram.deliver.outbound import Keyboard
from rich_agent.telegram.receive.inbound import Press
from rich_agent.telegram.rendering.notices import unlinked

PAGE_VERB = "files1"
CHANGE_VERB = "file1"
_PER_PAGE = 8
_NAME_CHARS = 60


def keeping_buttons(locale: str, answer: Answer) -> Keyboard:
    """Remember and Only here, where files came with the message."""
    return keeping_row(locale, answer.files)


@dataclass(frozen=True, slots=True)
class FileCommands:
    """Answers from the list of a user's files; no model is called."""

    files: UserFiles
    api: TelegramApi

    async def answer(self, request: CommandRequest) -> Reply:
        """The first page of the list."""
        return Reply(await self._page(request.user_id, 0, request.locale))

    async def turn_page(self, press: Press, locale: str, _hold: Hold) -> str:
        """Show another page in place."""
        offset = whole_number(press.argument) or 0
        await self._show(press, offset, locale)
        return ""

    async def change(self, press: Press, locale: str, _hold: Hold) -> str:
        """Remember a file, remember it no longer, or forget it; the list is shown anew."""
        what, number, offset = (*press.argument.split(":"), "", "", "")[:3]
        file_id, user_id = whole_number(number), press.user.telegram_user_id
        if file_id is None:
            return say(locale, "button-outdated")
        if what == "forget":
            found = await self.files.forget(user_id, [file_id])
            told = "file-forgotten"
        else:
            found = await self.files.keep(user_id, [file_id], kept=what == "keep")
            told = "file-kept" if what == "keep" else "file-not-kept"
        await self._show(press, whole_number(offset) or 0, locale)
        return say(locale, told, count=1) if found else say(locale, "button-outdated")

    async def choose(self, press: Press, locale: str, _hold: Hold) -> str:
        """Set whether the files of a question are kept, as a button below its answer says."""
        choice, _, numbers = press.argument.partition(":")
        ids = [number for one in numbers.split(",") if (number := whole_number(one)) is not None]
        kept = choice == "yes"
        found = await self.files.keep(press.user.telegram_user_id, ids, kept=kept)
        if not found:
            return say(locale, "button-outdated")
        others = [row for row in press.keyboard if not _is_keeping(row)]
        (row,) = keeping_row(locale, ids, kept=kept)
        # In the place where it was: the thumbs of an answer come last.
        at = next((n for n, one in enumerate(press.keyboard) if _is_keeping(one)), len(others))
        rows = (*others[:at], row, *others[at:])
        with survived("telegram.keeping_not_shown", UpstreamError):
            await self.api.edit_buttons(press.chat_id, press.message_id, rows)
        return say(locale, "file-kept" if kept else "file-not-kept", count=found)

    async def _show(self, press: Press, offset: int, locale: str) -> None:
        page = await self._page(press.user.telegram_user_id, offset, locale)
        await replace_pressed(self.api, press, page)

    async def _page(self, user_id: int, offset: int, locale: str) -> RenderedMessage:
        files = await self.files.all_of(user_id)
        if not files:
            return RenderedMessage(say(locale, "files-none"))
        offset = min(offset, (len(files) - 1) // _PER_PAGE * _PER_PAGE)
        shown = list(enumerate(files, start=1))[offset : offset + _PER_PAGE]
        lines = [_line(number, file, locale) for number, file in shown]
        title, hint = say(locale, "files-title", count=len(files)), say(locale, "files-hint")
        text = "\n".join([title, "", *lines, "", hint])
        rows = tuple(_row(number, file, offset) for number, file in shown)
        turning = paging(PAGE_VERB, offset, _PER_PAGE, len(files))
        return replace(unlinked(text), buttons=(*rows, *turning))


def _line(number: int, file: UserFile, locale: str) -> str:
    key = "files-line-kept" if file.is_kept else "files-line"
    name, sent = shorten(file.name, _NAME_CHARS), f"{file.sent_at:%Y-%m-%d}"
    return say(locale, key, number=str(number), name=name, sent=sent)


def _row(number: int, file: UserFile, offset: int) -> tuple[Button, ...]:
    keep, sign = ("leave", "📌 ✓") if file.is_kept else ("keep", "📌")
    return (
        Button(f"{number} {sign}", f"{CHANGE_VERB}:{keep}:{file.id}:{offset}"),
        Button(f"{number} 🗑", f"{CHANGE_VERB}:forget:{file.id}:{offset}"),
    )


def _is_keeping(row: Sequence[Button]) -> bool:
    return any(button.data.startswith(f"{KEEP_FILES_VERB}:") for button in row)
