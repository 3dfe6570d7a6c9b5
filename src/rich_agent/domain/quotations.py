"""Separates the user's own words in a message from those that they pass on."""

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
"""Marks that open a quotation, and those that may close it. Source: CLDR, delimiters."""
_FEWEST_QUOTED, _FEWEST_SIGNS = 20, 60
"""Words in quotation marks that are another's text, or signs where no spaces part words."""
_FENCE = "```"


def split_passed_on(text: str) -> tuple[str, str]:
    """Return the user's own words of a message, and those that they pass on in it.

    Passed on are lines behind ">", blocks between fences, and longer texts in quotation marks. A
    block ends at a fence of the same length; a longer fence begins a block within it.
    """
    own, other_lines, fences = list[str](), list[str](), list[str]()
    for line in text.splitlines():
        start = line.strip()
        ticks = start[: len(start) - len(start.lstrip("`"))]
        is_fence = ticks.startswith(_FENCE)
        is_own = not (fences or is_fence or start.startswith(">"))
        (own if is_own else other_lines).append(line)
        if fences and start == fences[-1]:
            fences.pop()
        elif is_fence and ticks > "".join(fences[-1:]):
            fences.append(ticks)
    own_text, quotations = _split_quotations("\n".join(own))
    return own_text, "\n".join((*other_lines, *quotations))


def _split_quotations(text: str) -> tuple[str, list[str]]:
    """Take longer texts in quotation marks out of a text; a mark without its partner is nothing."""
    own_parts, quotations, start, place = list[str](), list[str](), 0, 0
    ahead = dict[str, int]()
    while place < len(text):
        end = _nearest(_QUOTATIONS.get(text[place], ""), text, place + 1, ahead)
        if end < len(text):
            inner = text[place + 1 : end]
            is_cjk = 2 * sum(map(is_wide, inner)) > len(inner)
            if len(inner.split()) > _FEWEST_QUOTED or (is_cjk and len(inner) > _FEWEST_SIGNS):
                own_parts.append(text[start:place])
                quotations.append(inner)
                start = end + 1
            place = end
        place += 1
    return " ".join((*own_parts, text[start:])), quotations


def _nearest(signs: str, text: str, start: int, ahead: dict[str, int]) -> int:
    """Place of the nearest sign from `start` on, or the text's length.

    `ahead` keeps places of signs: each part of the text is searched once for each of them.
    """
    for sign in signs:
        if ahead.get(sign, -1) < start:
            place = text.find(sign, start)
            ahead[sign] = len(text) if place < 0 else place
    return min((ahead[sign] for sign in signs), default=len(text))
