"""Text without spaces between words, made searchable: single characters and pairs of them."""

import re
import unicodedata
from itertools import pairwise

_CJK_RUN = re.compile(r"[぀-ヿ㐀-䶿一-鿿가-힯ｦ-ﾟ々〆ー]+")


def split_scripts(text: str) -> tuple[str, str]:
    """The text's words of alphabetic scripts, and the characters and pairs of its CJK runs.

    Both are NFKC and separated by spaces. The same function serves chunks and queries.
    """
    folded = unicodedata.normalize("NFKC", text)
    grams: list[str] = []
    for run in _CJK_RUN.findall(folded):
        grams += [*run, *(a + b for a, b in pairwise(run))]
    return _CJK_RUN.sub(" ", folded), " ".join(grams)
