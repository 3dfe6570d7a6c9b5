"""Sources of a turn's images: uploads of its user, or a messenger."""

from dataclasses import dataclass

from rich_agent.errors import ImageRefusedError
from rich_agent.ports.images import ImageFiles, Uploads

_UPLOAD = "upload"


def file_id_of(user_id: int, upload_id: str) -> str:
    """Return the id of an upload in a turn; with its user, so that it names nobody else's."""
    return f"{_UPLOAD}:{user_id}:{upload_id}"


@dataclass(frozen=True, slots=True)
class UploadedFiles:
    """Implements `ImageFiles`: uploads, and the `others` by whatever else fetches files."""

    uploads: Uploads
    others: ImageFiles

    async def fetch(self, file_id: str) -> bytes:
        """See `ImageFiles.fetch`.

        Raises: ImageRefusedError("unreadable") if the upload is kept no more.
        """
        kind, _, named = file_id.partition(":")
        if kind != _UPLOAD:
            return await self.others.fetch(file_id)
        user_id, _, upload_id = named.partition(":")
        data = await self.uploads.find(int(user_id), upload_id)
        if data is None:
            raise ImageRefusedError("unreadable", "the upload is kept no more")
        return data
