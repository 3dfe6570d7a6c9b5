"""Writes raised and lowered letters as plain text: m³, 10^-3, H₂O, 1st."""

from typing import Final

_RAISED_DIGITS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_LOWERED_DIGITS: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def raised_text(text: str) -> str:
    """Raised letters: digits as such, other exponents behind "^"; words stay, as in "1st"."""
    return _scripted(text, "^", _RAISED_DIGITS)


def lowered_text(text: str) -> str:
    """Lowered letters: digits as such, other indices behind "_"; words stay."""
    return _scripted(text, "_", _LOWERED_DIGITS)


def _scripted(text: str, mark: str, digits: dict[int, int]) -> str:
    inner = text.strip()
    if inner.isascii() and inner.isdecimal():
        return text.translate(digits)
    is_exponent = any(map(str.isdecimal, inner)) or (len(inner) == 1 and inner.isalpha())
    return text.replace(inner, f"{mark}{inner}", 1) if is_exponent else text
