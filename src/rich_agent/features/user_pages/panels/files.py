"""The panel of the files that a user sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rich_agent.feature import Arguments, Asker, Clocks, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.panels import (
    MOST_ROWS,
    Panel,
    PanelButton,
    PanelContent,
    PanelGroup,
    PanelRequest,
    PanelRow,
)
from rich_agent.feature.surface import UserFile, UserFiles
from rich_agent.feature.text import say_parts, whole_number
from rich_agent.feature.tools import RowId


class KeepFile(Arguments):
    """A file, and whether it is remembered beyond its conversation."""

    file_id: RowId
    is_kept: bool


class OneFile(Arguments):
    """A file of the user."""

    file_id: RowId


@dataclass(frozen=True, slots=True)
class FilesPanel:
    """Lists the files, and remembers or forgets them."""

    files: Callable[[], UserFiles]

    def panel(self) -> Panel:
        """The panel."""
        return Panel(
            name="files",
            heading="user_pages-files",
            compose=self.compose,
            tools=[
                Tool("keep_file", "", KeepFile, self.keep, "change", self.take_back),
                Tool("forget_file", "", OneFile, self.forget, "delete"),
            ],
            order=45,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """A part of the list, newest first."""
        files = await self.files().all_of(request.user_id)
        after = whole_number(request.query.get("after", ""))
        if after is not None:
            place = next((n for n, one in enumerate(files, 1) if one.id == after), 0)
            files = files[place:]
        rows = [_row(file, request.clocks) for file in files[:MOST_ROWS]]
        return PanelContent(
            groups=[PanelGroup(rows)] if rows else (),
            sentences=() if rows else [say(request.locale, "files-none")],
            following=f"{files[MOST_ROWS - 1].id}" if len(files) > MOST_ROWS else "",
        )

    async def keep(self, arguments: KeepFile, asker: Asker) -> Outcome:
        """Remember a file beyond its conversation, or no longer. Raises: ToolRefusedError."""
        done = await self._keep(arguments.file_id, asker, kept=arguments.is_kept)
        if not done:
            raise ToolRefusedError(f"There is no file {arguments.file_id}.")
        undo = {"file_id": arguments.file_id, "is_kept": not arguments.is_kept}
        return Outcome({}, done=done, undo=undo)

    async def take_back(self, undo: Mapping[str, Any], asker: Asker) -> str:
        """Have it as it was before."""
        return await self._keep(undo["file_id"], asker, kept=undo["is_kept"])

    async def forget(self, arguments: OneFile, asker: Asker) -> Outcome:
        """Delete a file with its text. Raises: ToolRefusedError."""
        if not await self.files().forget(asker.user_id, [arguments.file_id]):
            raise ToolRefusedError(f"There is no file {arguments.file_id}.")
        return Outcome({}, done=say(asker.locale, "file-forgotten"))

    async def _keep(self, file_id: int, asker: Asker, *, kept: bool) -> str:
        count = await self.files().keep(asker.user_id, [file_id], kept=kept)
        key = "file-kept" if kept else "file-not-kept"
        return say(asker.locale, key, count=count) if count else ""


def _row(file: UserFile, clocks: Clocks) -> PanelRow:
    locale, of_file = clocks.locale, {"file_id": file.id}
    parts = say_parts(locale, file.inventory.unread)
    unread = [say(locale, "files-line-unread", parts=parts)] if parts else []
    key = "file-only-here-button" if file.is_kept else "file-keep-button"
    keep = {**of_file, "is_kept": not file.is_kept}
    return PanelRow(
        key=f"file-{file.id}",
        text=file.name,
        details=[clocks.day_of(file.sent_at), *unread],
        buttons=[
            PanelButton(say(locale, key), "keep_file", keep),
            PanelButton(say(locale, "user_pages-forget"), "forget_file", of_file, is_final=True),
        ],
    )
