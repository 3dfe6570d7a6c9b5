"""The words of a recording: the comment TRANSCRIPT=…, which the test or the page has put there.

No sound is analysed. An OGG or MP4 file without the comment has no words. Browsers record WebM
without a comment: the words are then a sentence about the stand-in.
"""

from pathlib import Path

from rich_agent_sandbox.sound.ogg import comments_of, is_opus, with_comment

_NAME = "TRANSCRIPT="
_COMMENT_ATOM, _DATA_ATOM = b"\xa9cmt", b"data"
_DATA_HEAD = 16
"""Size, name, type and locale of a `data` atom. Source: QuickTime, "Metadata item"."""
_EBML = b"\x1a\x45\xdf\xa3"
"""The beginning of WebM. Source: RFC 8794, EBML Header."""
_NO_EARS = "The sandbox has no ears, but {size:,} bytes of your recording arrived."
_SAMPLE = Path(__file__).parent / "voice.ogg"


def words_in(data: bytes) -> str | None:
    """The words of an OGG, MP4 or WebM file, "" without a comment; None for other formats."""
    if data.startswith(_EBML):
        return _NO_EARS.format(size=len(data))
    if is_opus(data):
        comments = comments_of(data)
    elif data[4:8] == b"ftyp":
        comments = [_mp4_comment(data)]
    else:
        return None
    transcripts = (comment for comment in comments if comment[: len(_NAME)].upper() == _NAME)
    return next(transcripts, _NAME)[len(_NAME) :].strip()


def say_in(data: bytes, words: str) -> bytes:
    """The OGG file with these words in its comment."""
    return with_comment(data, _NAME + words)


def recording_of(words: str) -> bytes:
    """A voice message in which a voice introduces the sandbox, with these words as its comment."""
    return say_in(_SAMPLE.read_bytes(), words)


def _mp4_comment(data: bytes) -> str:
    position = data.find(_COMMENT_ATOM)
    if position < 0 or data[position + 8 : position + 12] != _DATA_ATOM:
        return ""
    size = int.from_bytes(data[position + 4 : position + 8], "big")
    return data[position + 4 + _DATA_HEAD : position + 4 + size].decode("utf-8", "replace")
