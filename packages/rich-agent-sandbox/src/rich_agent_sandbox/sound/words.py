"""The words of a recording: the comment TRANSCRIPT=…, which its maker put there.

Nothing here hears. An OGG or MP4 file without the comment has no words, as far as the stand-in
knows. Browsers record WebM and put no comment there: its words say what the stand-in is.
"""

from pathlib import Path

from rich_agent_sandbox.sound.ogg import comments_of, is_opus, with_comment

_NAME = "TRANSCRIPT="
_COMMENT_ATOM, _DATA_ATOM = b"\xa9cmt", b"data"
_DATA_HEAD = 16
"""Size, name, type and locale of a `data` atom. Source: QuickTime, "Metadata item"."""
_EBML = b"\x1a\x45\xdf\xa3"
"""How WebM begins. Source: RFC 8794, EBML Header."""
_NO_EARS = "The sandbox has no ears, but {size:,} bytes of your recording arrived."
_SAMPLE = Path(__file__).parent / "voice.ogg"


def words_in(data: bytes) -> str | None:
    """The words of an OGG or MP4 file, "" without a comment, or of WebM; None for other formats."""
    if data.startswith(_EBML):
        return _NO_EARS.format(size=len(data))
    if is_opus(data):
        comments = comments_of(data)
    elif data[4:8] == b"ftyp":
        comments = [_mp4_comment(data)]
    else:
        return None
    told = (one for one in comments if one[: len(_NAME)].upper() == _NAME)
    return next(told, _NAME)[len(_NAME) :].strip()


def say_in(data: bytes, words: str) -> bytes:
    """An OGG file with these words in its comment."""
    return with_comment(data, _NAME + words)


def recording_of(words: str) -> bytes:
    """A voice message in which a voice says what the sandbox is, with these words as comment."""
    return say_in(_SAMPLE.read_bytes(), words)


def _mp4_comment(data: bytes) -> str:
    place = data.find(_COMMENT_ATOM)
    if place < 0 or data[place + 8 : place + 12] != _DATA_ATOM:
        return ""
    size = int.from_bytes(data[place + 4 : place + 8], "big")
    return data[place + 4 + _DATA_HEAD : place + 4 + size].decode("utf-8", "replace")
