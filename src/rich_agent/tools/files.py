"""The tool that lists what the user sent: names and dates, never content."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich_agent.domain.user_files import UserFile
from rich_agent.domain.words import Words
from rich_agent.ports.tools import Asker
from rich_agent.ports.user_files import UserFiles
from rich_agent.times import Clocks
from rich_agent.tools.arguments import Nothing
from rich_agent.tools.tool import Outcome, Tool

MOST_LISTED = 30


@dataclass(frozen=True, slots=True)
class FileTools:
    """Reads the list of the files of the one who asks."""

    files: UserFiles

    def tools(self) -> Sequence[Tool]:
        """The one tool for lists of files."""
        about = (
            "The files that the user sent here, and the web pages that were read for them, newest "
            "first: for questions about what they sent, not about what is in it."
        )
        return (Tool("list_files", about, Nothing, self.list, is_always_offered=True),)

    async def list(self, _: Nothing, asker: Asker) -> Outcome:
        """The newest files, and how many there are."""
        files = await self.files.all_of(asker.user_id)
        newest = files[:MOST_LISTED]
        pages = tuple(
            Words(file.name, "private_page" if file.is_private else "page", file.address)
            for file in newest
            if file.address
        )
        clocks = Clocks(asker.locale, asker.time_zone)
        return Outcome(
            {"files": [_file_row(file, clocks) for file in newest], "count": len(files)},
            words=pages,
        )


def _file_row(file: UserFile, clocks: Clocks) -> dict[str, Any]:
    row = {"name": file.name, "sent": clocks.day_of(file.sent_at), "remembered": file.is_kept}
    return {**row, "page": file.address} if file.address else row
