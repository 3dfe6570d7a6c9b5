"""Lengths of time that a text names, in four languages."""

import re

_HALF, _ONE = 0.5, 1.0
_LENGTH = re.compile(
    r"(?:for |of |für |durante )?\b(?P<number>\d{1,4}(?:[.,]\d)?|an?|half an|one|eine) ?"
    r"(?P<unit>minutes?|mins?|hours?|h|minuten|stunden?|minutos?|horas?)\b"
    r"|(?P<ja>\d{1,4})(?P<unit_ja>分|時間)(?:間)?",
    re.IGNORECASE,
)


def minutes_in(text: str) -> tuple[int | None, str]:
    """The minutes of the first length that is named, None without one; and the text without it."""
    found = _LENGTH.search(text)
    if found is None:
        return None, text
    number, unit = (found["number"] or found["ja"]).lower(), found["unit"] or found["unit_ja"]
    named = number.replace(",", ".")
    amount = float(named) if named[0].isdecimal() else _HALF if number == "half an" else _ONE
    is_hours = unit.lower().startswith(("h", "stunde", "時間"))
    left = f"{text[: found.start()]} {text[found.end() :]}"
    return int(amount * 60) if is_hours else int(amount), left
