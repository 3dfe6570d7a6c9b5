"""Forms of a text by which a copy is found, whatever its case, spaces and marks."""

from rich_agent.domain.text import normalized

_MARKS = {code: None for code in range(128) if not chr(code).isalnum()}


def is_part_of(text: str, whole: str) -> bool:
    """Whether the letters and digits of a text stand in another one, in a row."""
    return letters_of(text) in letters_of(whole)


def verbatim_of(text: str) -> str:
    """The text in one line, folded: what differs in case or spaces alone is the same."""
    return " ".join(normalized("NFKC", text).casefold().split())


def letters_of(text: str) -> str:
    """The letters and digits of a text, folded, so that marks and spaces hide no repetition."""
    if text.isascii():
        return text.lower().translate(_MARKS)
    return "".join(filter(str.isalnum, normalized("NFKC", text).casefold()))


def is_wide(character: str) -> bool:
    """Whether it may be Chinese, Japanese or Korean, or stands behind these in Unicode."""
    return character >= "\u2e80"
