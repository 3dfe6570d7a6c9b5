"""Saves chats and files on disk, so that a restart shows what the bot remembers.

Pending updates, calls and faults are not saved.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from rich_agent_sandbox.telegram.changes import Changes
from rich_agent_sandbox.telegram.chats import Chat, Chats, Message
from rich_agent_sandbox.telegram.files import Document, Files, StoredFile

SAVE_EVERY_S = 1.0
_CHATS = TypeAdapter(list[Chat])
_FILES = TypeAdapter(list[StoredFile])
_log = logging.getLogger(__name__)


class Keeper:
    """Saves chats and files in a folder: `chats.json`, `files.json`, and contents by their hash."""

    def __init__(self, folder: Path, chats: Chats, files: Files) -> None:
        self._folder = folder
        self._chats = chats
        self._files = files

    def load(self) -> None:
        """Load the saved state; unreadable files are moved aside, with a message on stderr."""
        try:
            self._files.restore([self._with_content(file) for file in self._read_files()])
            saved_chats = _CHATS.validate_json((self._folder / "chats.json").read_bytes())
        except FileNotFoundError:
            return
        except (OSError, ValidationError) as error:
            new_folder = self._folder.with_name(f"{self._folder.name}.unreadable")
            _log.warning("the chats cannot be read, and are now in %s: %s", new_folder, error)
            self._folder.rename(new_folder)
            return
        self._chats.restore([self._with_files(chat) for chat in saved_chats])

    def save(self) -> None:
        """Write the whole state, each file atomically; contents are written only once."""
        contents = self._folder / "files"
        contents.mkdir(parents=True, exist_ok=True)
        for file in self._files.all():
            path = contents / _digest(file)
            if not path.exists():
                _write(path, file.content)
        # A message may contain a lone surrogate, which UTF-8 cannot encode.
        file_entries = [asdict(file) | {"content": _digest(file)} for file in self._files.all()]
        chats = [asdict(chat) for chat in self._chats.all()]
        for name, value in (("files.json", file_entries), ("chats.json", chats)):
            text = json.dumps(value, ensure_ascii=False, default=lambda _: "")
            _write(self._folder / name, text.encode("utf-8", "replace"))

    def _read_files(self) -> list[StoredFile]:
        return _FILES.validate_json((self._folder / "files.json").read_bytes())

    def _with_content(self, file: StoredFile) -> StoredFile:
        return replace(file, content=(self._folder / "files" / file.content.decode()).read_bytes())

    def _with_files(self, chat: Chat) -> Chat:
        chat.messages = {number: self._whole(message) for number, message in chat.messages.items()}
        return chat

    def _whole(self, message: Message) -> Message:
        """The message with its document's bytes, which are stored separately."""
        media = message.media
        if isinstance(media, Document) and (file := self._files.find(media.file.file_id)):
            media = Document(file)
        reply_to = self._whole(message.reply_to) if message.reply_to else None
        return replace(message, media=media, reply_to=reply_to)


@asynccontextmanager
async def kept(keeper: Keeper | None, changes: Changes) -> AsyncIterator[None]:
    """Save changes during the block and at its end; without a keeper, save nothing."""
    if keeper is None:
        yield
        return
    saving = asyncio.create_task(_save_changes(keeper, changes))
    try:
        yield
    finally:
        saving.cancel()
        await asyncio.gather(saving, return_exceptions=True)
        keeper.save()


async def _save_changes(keeper: Keeper, changes: Changes) -> None:
    async for topics in changes.listen(quiet_s=60.0):
        if topics - {"calls", "bot"}:
            try:
                keeper.save()
            except OSError as error:
                _log.warning("the chats are not kept: %s", error)
            await asyncio.sleep(SAVE_EVERY_S)


def _digest(file: StoredFile) -> str:
    return sha256(file.content).hexdigest()


def _write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    new_path = path.with_name(f"{path.name}.new")
    new_path.write_bytes(content)
    new_path.replace(path)
