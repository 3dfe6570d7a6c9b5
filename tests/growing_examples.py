"""Objects that a text is fed to: two whose work depends on the piece, and five that read on."""

import re

_END = re.compile(r"[.!?]++\s")


class Linear:
    """Keeps what was said as parts, and reads the piece."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def feed(self, piece: str) -> str:
        """Read a piece; return what is new."""
        shown = _END.sub(" ", piece)
        self.parts.append(shown)
        return "".join(letter for letter in shown if letter != "!")


class Bounded:
    """Holds back what may still change, 200 characters at most."""

    held = ""

    def feed(self, piece: str) -> str:
        """Read a piece; return what is certain."""
        text = self.held + piece
        self.held = text[-200:]
        return text[: -len(self.held)]


class _Whole:
    text = ""


class Rereads(_Whole):
    """Hands the whole text to a function of another library."""

    def feed(self, piece: str) -> object:
        """Read a piece; return what it makes of the text so far."""
        self.text += piece
        return re.split("x", self.text)


class Searches(_Whole):
    """Searches all of it by a pattern."""

    def feed(self, piece: str) -> object:
        """Read a piece; return where a sentence ends."""
        self.text = f"{self.text}{piece}"
        return _END.search(self.text)


class Copies:
    """Writes the whole text anew."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def feed(self, piece: str) -> str:
        """The text so far."""
        self.parts.append(piece)
        return "".join(self.parts)


class Compares(_Whole):
    """Compares with what was there before."""

    def feed(self, piece: str) -> bool:
        """Whether it goes on."""
        before, self.text = self.text, self.text + piece
        return self.text.startswith(before)


class Loops:
    """Looks at each line again."""

    def __init__(self) -> None:
        self.pieces: list[str] = []

    def feed(self, piece: str) -> int:
        """Read a piece; return how many pieces are long."""
        self.pieces.append(piece)
        count = 0
        for one in self.pieces:
            count += len(one) > 3
        return count
