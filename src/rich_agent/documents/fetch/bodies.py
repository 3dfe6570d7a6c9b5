"""Decompresses bodies up to a limit, so that a small body cannot fill the memory."""

import zlib

import httpx

from rich_agent.documents.fetch.errors import FetchError, PassingFetchError

_UNPACKED_BY_ZLIB = frozenset({"gzip", "x-gzip", "deflate"})
_ZLIB_OR_GZIP = zlib.MAX_WBITS | 32  # gzip or zlib, by the header
_BROKE_OFF = "the page broke off before its end"
_GZIP_MAGIC = b"\x1f\x8b"


async def read_body(response: httpx.Response, limit: int) -> bytes:
    """The body of a response, decompressed while it arrives.

    Raises: FetchError for more than `limit` bytes, or for a compression that was not requested.
    """
    body = _Body(response.headers.get("Content-Encoding", ""))
    async for piece in response.aiter_raw():
        body.add(piece, limit + 1)
        if len(body.data) > limit:
            raise FetchError(
                f"the page is larger than {limit / 1_000_000:g} MB", problem="too_large"
            )
    body.finish()
    return bytes(body.data)


def gunzip(data: bytes, limit: int) -> bytes:
    """The content of a gzip file; other bytes are returned unchanged.

    Raises: FetchError for more than `limit` bytes, or for a broken file.
    """
    content, is_whole = gunzip_beginning(data, limit)
    if not is_whole:
        raise PassingFetchError(_BROKE_OFF)
    return content


def gunzip_beginning(data: bytes, limit: int) -> tuple[bytes, bool]:
    """The content of a gzip file as far as it goes, and whether it has its end.

    Other bytes are returned unchanged.

    Raises: FetchError for more than `limit` bytes, or for a damaged file.
    """
    if not data.startswith(_GZIP_MAGIC):
        return data, True
    body = _Body("gzip")
    body.add(data, limit + 1)
    if len(body.data) > limit:
        raise FetchError(f"it unpacks to more than {limit / 1_000_000:g} MB")
    return bytes(body.data), body.is_whole


class _Body:
    def __init__(self, encoding: str) -> None:
        self.data = bytearray()
        self._zlib = None
        if encoding.strip().lower() in _UNPACKED_BY_ZLIB:
            self._zlib = zlib.decompressobj(_ZLIB_OR_GZIP)
        elif encoding.strip().lower() not in {"", "identity"}:
            raise FetchError(f"the page is compressed as {encoding}, which was not requested")

    def add(self, piece: bytes, most: int) -> None:
        """Add a piece; at most `most` bytes of the body are kept.

        Raises: FetchError if it is damaged.
        """
        free_bytes = most - len(self.data)
        if self._zlib is None:
            self.data += piece[:free_bytes]
            return
        try:
            self.data += self._zlib.decompress(piece, free_bytes)
        except zlib.error as error:
            raise FetchError("the page cannot be decompressed") from error

    @property
    def is_whole(self) -> bool:
        """Whether the end of the body was seen."""
        return self._zlib is None or self._zlib.eof

    def finish(self) -> None:
        """Check the end. Raises: PassingFetchError if a compressed body is incomplete."""
        if not self.is_whole:
            raise PassingFetchError(_BROKE_OFF)
