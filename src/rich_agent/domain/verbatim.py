"""Forms of a text for finding copies that differ in case, spaces or punctuation."""

from rich_agent.domain.text import normalized

_MARKS = {code: None for code in range(128) if not chr(code).isalnum()}


def is_part_of(text: str, whole: str) -> bool:
    """Whether another text contains the letters and digits of a text in a row."""
    return letters_of(text) in letters_of(whole)


def verbatim_of(text: str) -> str:
    """The folded text on one line. Texts that differ only in case or spaces have the same form."""
    return " ".join(normalized("NFKC", text).casefold().split())


def letters_of(text: str) -> str:
    """The folded letters and digits of a text, without punctuation and spaces."""
    if text.isascii():
        return text.lower().translate(_MARKS)
    return "".join(filter(str.isalnum, normalized("NFKC", text).casefold()))


def is_wide(character: str) -> bool:
    """Whether the character may be Chinese, Japanese or Korean, or comes later in Unicode."""
    return character >= "\u2e80"
