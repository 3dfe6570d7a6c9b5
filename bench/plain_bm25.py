"""BM25 of bm25s over any texts; runs with the peers' interpreter.

`.bench-venv/bin/python -m bench.plain_bm25`: JSON of lists of `texts` and `questions` on standard
input, and on standard output for each question the numbers of the ten best texts.
"""

import json
import re
import sys
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise

import bm25s
from Stemmer import Stemmer

_BEST = 10
_CJK = re.compile(r"[぀-ヿ㐀-䶿一-鿿]")
Tokens = list[list[str]]


def best_by_words(texts: Sequence[str], questions: Sequence[str], best: int) -> list[list[int]]:
    """Numbers of texts for each question, best first (Lucene's BM25, k1 1.2, b 0.75)."""
    tokens = _tokens_of(texts)
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(tokens(texts), show_progress=False)
    found, _ = index.retrieve(tokens(questions), k=best, show_progress=False)
    return [[int(at) for at in row] for row in found]


def _tokens_of(texts: Sequence[str]) -> Callable[[Sequence[str]], Tokens]:
    """Stemmed English words; characters and pairs of them where texts are Chinese or Japanese."""
    cjk = sum(len(_CJK.findall(text)) for text in texts)
    return _characters if cjk * 2 > sum(map(len, texts)) else _words


def _words(texts: Sequence[str]) -> Tokens:
    found: Tokens = bm25s.tokenize(
        list(texts),
        stopwords="en",
        stemmer=Stemmer("english"),
        return_ids=False,
        show_progress=False,
    )
    return found


def _characters(texts: Sequence[str]) -> Tokens:
    joined = ("".join(unicodedata.normalize("NFKC", text).split()) for text in texts)
    return [[*text, *(a + b for a, b in pairwise(text))] for text in joined]


if __name__ == "__main__":
    json.dump([best_by_words(**one, best=_BEST) for one in json.load(sys.stdin)], sys.stdout)
