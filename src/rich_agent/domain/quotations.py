"""Separates the user's own words in a message from words that the user quotes."""

from rich_agent.domain.verbatim import is_wide

_QUOTATIONS = {
    "“": "”",
    "”": "”",
    "„": "“”",
    "«": "»",
    "»": "«»",
    "‹": "›",
    "›": "‹›",
    "「": "」",
    "『": "』",
    "״": "״",
    "＂": "＂",
    '"': '"',
}
"""The closing marks of each opening mark. Source: CLDR, delimiters."""
_FEWEST_QUOTED, _FEWEST_SIGNS = 20, 60
"""A quotation with more words is another's text; in scripts without spaces, with more signs."""
_FENCE = "```"


def split_passed_on(text: str) -> tuple[str, str]:
    """Return the user's own words in a message, and the words that the user quotes.

    Quoted are lines after ">", blocks between fences, and longer texts in quotation marks. A block
    ends at a fence of the same length; a longer fence begins a block within the block.
    """
    own_lines, other_lines, fences = list[str](), list[str](), list[str]()
    for line in text.splitlines():
        stripped_line = line.strip()
        ticks = stripped_line[: len(stripped_line) - len(stripped_line.lstrip("`"))]
        is_fence = ticks.startswith(_FENCE)
        is_own = not (fences or is_fence or stripped_line.startswith(">"))
        (own_lines if is_own else other_lines).append(line)
        if fences and stripped_line == fences[-1]:
            fences.pop()
        elif is_fence and ticks > "".join(fences[-1:]):
            fences.append(ticks)
    own_text, quotations = _split_quotations("\n".join(own_lines))
    return own_text, "\n".join((*other_lines, *quotations))


def _split_quotations(text: str) -> tuple[str, list[str]]:
    """Return a text without its longer quotations, and these. An unpaired mark is ignored."""
    own_parts, quotations, part_start, index = list[str](), list[str](), 0, 0
    next_positions = dict[str, int]()
    while index < len(text):
        end = _nearest(_QUOTATIONS.get(text[index], ""), text, index + 1, next_positions)
        if end < len(text):
            quotation = text[index + 1 : end]
            is_cjk = 2 * sum(map(is_wide, quotation)) > len(quotation)
            if len(quotation.split()) > _FEWEST_QUOTED or (
                is_cjk and len(quotation) > _FEWEST_SIGNS
            ):
                own_parts.append(text[part_start:index])
                quotations.append(quotation)
                part_start = end + 1
            index = end
        index += 1
    return " ".join((*own_parts, text[part_start:])), quotations


def _nearest(signs: str, text: str, start: int, ahead: dict[str, int]) -> int:
    """The position of the nearest of the signs from `start` on, or the length of the text.

    `ahead` keeps the next position of each sign, so that no part of the text is searched twice.
    """
    for sign in signs:
        if ahead.get(sign, -1) < start:
            position = text.find(sign, start)
            ahead[sign] = len(text) if position < 0 else position
    return min((ahead[sign] for sign in signs), default=len(text))
