"""Images from this machine's files, for the terminal."""

import asyncio
from pathlib import Path

from rich_agent.errors import ImageRefusedError


class LocalImageFiles:
    """Implements `ImageFiles`: a file id is a path."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes

    async def fetch(self, file_id: str) -> bytes:
        return await asyncio.to_thread(self._read, Path(file_id))

    def _read(self, path: Path) -> bytes:
        try:
            if not path.is_file():
                raise ImageRefusedError("unreadable", f"{path} is not a regular file")
            if path.stat().st_size > self._max_bytes:
                raise ImageRefusedError("too_large", f"{path} is over {self._max_bytes} bytes")
            return path.read_bytes()
        except OSError as error:
            raise ImageRefusedError("unreadable", f"{path}: {error.strerror}") from error
