"""An upper bound of a text's tokens, without the model's tokenizer; never a count to be paid by.

`text.estimate_tokens` says what is likely, this says what is safe: a prompt that is held within its
budget by these numbers is within it by the true ones too, in any script.
"""

import math
import re
from collections.abc import Callable

from rich_agent.domain.text import HAN, HANGUL

TokenCounter = Callable[[str], int]
"""The tokens of a text, 0 for ""; counted, or estimated so that the true count is not above."""

MESSAGE_TOKENS = 4
"""What a chat model adds around each message. Source: OpenAI, "How to count tokens"."""

# Pieces that byte-pair encodings do not join, with the tokens of each character, at most. A word
# of any kind is a token at least.
_PER_CHARACTER: tuple[tuple[str, float], ...] = (
    (r"(?=[A-Za-z+/=_-]{0,200}[0-9])[A-Za-z0-9+/=_-]{20,}", 0.75),  # keys, hashes
    (r"[A-Za-z]{25,}", 0.6),
    (r"[A-Z]?[a-z]+", 0.37),
    (r"[A-Z]+", 0.6),
    (r"[0-9]+", 0.45),
    (r"[!-/:-@\[-`{-~]+", 0.75),
    (r"[\t\n\r]+", 0.5),
    (r" {2,}", 0.1),
    (r"[\u00a0-\u036f\u1e00-\u1eff]+", 1.2),  # accented Latin
    (r"[\u0370-\u03ff\u1f00-\u1fff]+", 1.0),  # Greek
    (r"[\u0410-\u044f]+", 0.8),  # Cyrillic, as in Russian
    (r"[\u0400-\u052f]+", 1.6),  # and its further letters
    (r"[\u0590-\u05ff]+", 1.1),  # Hebrew
    (r"[\u0600-\u077f\ufb50-\ufdff\ufe70-\ufeff]+", 1.2),  # Arabic
    (r"[\u0900-\u097f]+", 1.2),  # Devanagari
    (r"[\u0980-\u09ff]+", 1.5),  # Bengali
    (r"[\u0e00-\u0eff]+", 0.9),  # Thai, Lao
    (r"[\u0530-\u058f\u0a00-\u0dff\u1000-\u137f\u1780-\u17ff]+", 2.3),  # Armenian to Khmer
    (r"[\u2000-\u206f\u20a0-\u20cf]+", 1.0),  # punctuation, currencies
    (r"[\u3000-\u30ff\uff00-\uffef]+", 0.8),  # kana
    (rf"[{HAN}]+", 1.1),
    (rf"[{HANGUL}]+", 1.4),
    (r"[^\x00-\x7f]+", 3.0),  # emoji, and what is rare
)
_PIECES = re.compile("|".join(f"({pattern})" for pattern, _ in _PER_CHARACTER))
_RATES = (0.0, *(rate for _, rate in _PER_CHARACTER))


def most_tokens(text: str) -> int:
    """Tokens of a text, estimated from above for encodings of 100,000 entries and more.

    Source: `python -m bench.tokens`, which holds it against OpenAI's encodings.
    """
    found = 0.0
    for piece in _PIECES.finditer(text):
        found += max(1.0, (piece.end() - piece.start()) * _RATES[piece.lastindex or 0])
    return math.ceil(found) or bool(text)
