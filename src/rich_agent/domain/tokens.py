"""How many tokens a text has at most, without the model's tokenizer; never a count to be paid by.

`text.estimate_tokens` says what is likely, this says what is safe: a prompt that is held within its
budget by these numbers is within it by the true ones too, in any script.
"""

import re
from collections.abc import Callable

TokenCounter = Callable[[str], int]
"""The tokens of a text, 0 for ""; counted, or estimated so that the true count is not above."""

MESSAGE_TOKENS = 4
"""What a chat model adds around each message. Source: OpenAI, "How to count tokens"."""

# The pieces that byte-pair encodings do not join: a word with its capital, capitals, up to three
# digits, a run of one other script, signs.
_PIECES = re.compile(
    r"(?P<word>[A-Z]?[a-z]+)"
    r"|(?P<capitals>[A-Z]+)"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<signs>[!-/:-@\[-`{-~]+)"
    r"|(?P<lines>[\t\n\r]+)"
    r"|(?P<spaces> {2,})"
    r"|(?P<latin>[\u00a0-\u024f\u1e00-\u1eff]+)"
    r"|(?P<cyrillic>[\u0370-\u052f]+)"
    r"|(?P<semitic>[\u0530-\u074f]+)"
    r"|(?P<indic>[\u0900-\u0dff\u1000-\u109f\u1200-\u137f\u1780-\u17ff]+)"
    r"|(?P<thai>[\u0e00-\u0eff]+)"
    r"|(?P<cjk>[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff00-\uffef]+)"
    r"|(?P<hangul>[\uac00-\ud7a3]+)"
    r"|(?P<other>[^\x00-\x7f]+)"
)
_PER_CHARACTER = {
    "word": 0.25,
    "capitals": 0.6,
    "digits": 0.34,
    "signs": 0.75,
    "lines": 0.5,
    "spaces": 0.1,
    "latin": 1.0,
    "cyrillic": 0.5,
    "semitic": 0.6,
    "indic": 0.6,
    "thai": 0.7,
    "cjk": 1.1,
    "hangul": 1.0,
    "other": 3.0,
}


def most_tokens(text: str) -> int:
    """Tokens of a text, estimated from above for encodings of 100,000 entries and more.

    Source: `python -m bench.tokens`, which holds it against OpenAI's encodings.
    """
    found = 0.0
    for piece in _PIECES.finditer(text):
        kind = piece.lastgroup or "other"
        found += max(1.0, (piece.end() - piece.start()) * _PER_CHARACTER[kind])
    return round(found) or bool(text)
