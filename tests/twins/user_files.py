"""Private files of users without a database."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from rich_agent.domain.text import clean_text
from rich_agent.domain.user_files import FileUnit, NewUserFile, UserFile
from rich_agent.ports.user_files import MOST_FILES
from tests.twins.fences import Fences


@dataclass(slots=True)
class InMemoryUserFiles:
    """Implements `UserFiles`."""

    files: dict[int, UserFile] = field(default_factory=dict)
    texts: dict[int, list[FileUnit]] = field(default_factory=dict)
    fences: Fences = field(default_factory=Fences)
    given: int = 0

    async def find_same(self, user_id: int, thread_id: str, sha256: str) -> UserFile | None:
        readable = await self.readable(user_id, thread_id)
        return next((file for file in readable if file.sha256 == sha256), None)

    async def store(self, file: NewUserFile) -> UserFile:
        self.fences.check()
        key = (file.user_id, file.sha256, file.thread_id)
        before = next(
            (one for one in self.files.values() if (one.user_id, one.sha256, one.thread_id) == key),
            None,
        )
        self.given += before is None
        stored = UserFile(
            before.id if before else self.given,
            *(file.user_id, file.thread_id, clean_text(file.name), file.media_type),
            *(file.size_bytes, file.sha256, file.ref, sum(unit.tokens for unit in file.units)),
            units=len(file.units),
            is_kept=before is not None and before.is_kept,
            is_indexed=False,
            sent_at=datetime.now(UTC),
            tables=file.tables,
            is_private=file.is_private,
            inventory=file.inventory,
        )
        self.files.pop(stored.id, None)
        self.files[stored.id] = stored
        self.texts[stored.id] = [replace(u, text=clean_text(u.text)) for u in file.units]
        theirs = sorted(await self.all_of(file.user_id), key=lambda one: not one.is_kept)
        others = [one.id for one in theirs if one.id != stored.id]
        for one in others[MOST_FILES - 1 :]:
            del self.files[one]
        return stored

    async def readable(self, user_id: int, thread_id: str) -> list[UserFile]:
        theirs = await self.all_of(user_id)
        return [file for file in theirs if file.is_kept or file.thread_id == thread_id]

    async def all_of(self, user_id: int) -> list[UserFile]:
        return [file for file in reversed(self.files.values()) if file.user_id == user_id]

    async def find(self, user_id: int, file_ids: Sequence[int]) -> list[UserFile]:
        found = [self.files[one] for one in file_ids if one in self.files]
        return [file for file in found if file.user_id == user_id]

    async def units(self, user_id: int, file_id: int) -> list[FileUnit]:
        return self.texts[file_id] if await self.find(user_id, [file_id]) else []

    async def keep(self, user_id: int, file_ids: Sequence[int], *, kept: bool) -> int:
        self.fences.check()
        found = await self.find(user_id, file_ids)
        for file in found:
            self.files[file.id] = replace(file, is_kept=kept)
        return len(found)

    async def forget(self, user_id: int, file_ids: Sequence[int]) -> int:
        self.fences.check()
        found = await self.find(user_id, file_ids)
        for file in found:
            del self.files[file.id]
        return len(found)

    async def leave(self, user_id: int) -> None:
        left = [file.id for file in await self.all_of(user_id) if not file.is_kept]
        await self.forget(user_id, left)


@dataclass(slots=True)
class InMemoryFileIndex:
    """Implements `FileIndex`."""

    parts: dict[int, Sequence[tuple[str, str]]] = field(default_factory=dict)

    async def index(self, file: UserFile, parts: Sequence[tuple[str, str]]) -> None:
        self.parts[file.id] = parts
