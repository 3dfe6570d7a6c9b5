"""Finds statements of JavaScript in MDX, which nobody sees. Source: MDX, "ESM"."""

import re
from typing import Final

_IMPORT: Final = re.compile(
    r"import\s++(?:type\s++)?"
    r"(?:[\w$*{][^'\"]{0,2000}?\bfrom\s*+)?['\"][^'\"\n]+['\"][ \t]*+;?[ \t]*+$",
    re.MULTILINE,
)
_EXPORT: Final = re.compile(
    r"export\s++(?:(?:const|let|var|class|type|interface|(?:async\s++)?function)\s++[\w$*{]"
    r"|default\s++(?:(?:async|function|class)\b|[\w$.]*+[({]|[\w$.]++;?[ \t]*+$)|[{*])",
    re.MULTILINE,
)
_BRACKET: Final = re.compile(
    r"[(){}\[\]\n]|\"(?:[^\"\\\n]|\\.)*+\"?"
    r"|'(?:[^'\\\n]|\\.)*+'?|`(?:[^`\\]|\\.)*+(?:`|\\?\Z)",
    re.DOTALL,
)
_MOST_CHARS: Final = 20_000


class StatementScanner:
    """Finds statements in a text, from its start to its end; what is open is not read again."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._read_until = 0

    def end_at(self, start: int) -> int | None:
        """The end of the last line of the statement that begins here, None if there is none."""
        if start < self._read_until or not self._text.startswith(("import", "export"), start):
            return None
        imported = _IMPORT.match(self._text, start)
        if imported:
            return imported.end()
        return self._end_of_code(start) if _EXPORT.match(self._text, start) else None

    def _end_of_code(self, start: int) -> int | None:
        """The first line end at which all brackets are closed and no operator is open."""
        depth = 0
        for match in _BRACKET.finditer(self._text, start, start + _MOST_CHARS):
            if match[0] != "\n":
                depth += 1 if match[0] in "([{" else -1 if match[0] in ")]}" else 0
            elif depth <= 0 and self._text[match.start() - 1] not in "=+,&|?:>":
                return match.start()
        if depth <= 0 and start + _MOST_CHARS >= len(self._text):
            return len(self._text)
        self._read_until = start + _MOST_CHARS
        return None
