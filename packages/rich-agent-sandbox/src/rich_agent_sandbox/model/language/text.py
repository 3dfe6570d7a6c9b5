"""Words, sentences and token estimates, for languages with and without spaces."""

import re
import unicodedata
from itertools import pairwise

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7a3々"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_HIRAGANA_ONLY = re.compile(r"[\u3041-\u309fー]+")
_EMPTY_PAIR = re.compile(r"[\u3041-\u309fー]+|.?[何誰].?")
_KANA = re.compile(r"[\u3041-\u30ff]")
_SPACED_WORD = re.compile(rf"[^\W_{_CJK}]+(?:['’][^\W_{_CJK}]+)?")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bvs\.)\s+"
    r"|(?<=[.!?][\"'”’)\]])\s+|(?<=[。！？])(?![」』）])|\n+"
)
_TOKEN = re.compile(r"[\x00-\x7f]{1,4}|[^\x00-\x7f]", re.DOTALL)

_FUNCTION_WORDS = """
a about above after again all also an and any are as at be because been before being below between
both but by can could did do does doing don't down during each else every few for from further had
has have having he her here hers him his how i if in into is isn't it its itself just let's many me
might mine more most much must my myself no nor not of off on once only or other our ours out over
own please same shall she should so some such tell than that the their theirs them then there these
they this those through to too under until up us very was we were what what's when where which while
who who's whom why will with would you your yours yourself i'm i've i'd it's that's
im ive whats whos hows thats theres isnt dont doesnt didnt cant wont
already always another anybody anyone anything cannot define describe either even everybody everyone
everything explain instead may neither never nobody nothing often one per rather since somebody
someone something still therefore thus upon whether whose within without yet
"""
STOP_WORDS = frozenset(_FUNCTION_WORDS.split())


def normalise(text: str) -> str:
    """`text` in NFKC and lower case."""
    return unicodedata.normalize("NFKC", text).lower()


def words(text: str) -> list[str]:
    """The lower-case words of scripts with spaces, in order, without CJK runs."""
    return _SPACED_WORD.findall(normalise(text))


def cjk_runs(text: str) -> list[str]:
    """Runs of kana, ideographs and Hangul, in order."""
    return _CJK_RUN.findall(normalise(text))


def is_hiragana(run: str) -> bool:
    """Whether a run is only hiragana and long-vowel marks, which are mostly grammar."""
    return bool(_HIRAGANA_ONLY.fullmatch(run))


def cjk_bigrams(text: str) -> list[str]:
    """Pairs of neighbouring characters in CJK runs; a run of one character is its own pair."""
    pairs: list[str] = []
    for run in cjk_runs(text):
        pairs += [first + second for first, second in pairwise(run)] or [run]
    return pairs


def stem(word: str) -> str:
    """An English word without inflectional endings (trades, trading, trade → trad).

    Short words and numbers are unchanged.
    """
    word = word.removesuffix("'s").removesuffix("’s")
    if len(word) < 4 or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = _undouble(word.removesuffix(ending))
            break
    return word.removesuffix("e") if len(word) > 3 else word


def _undouble(word: str) -> str:
    return word[:-1] if word[-1] == word[-2] and word[-1] not in "aeiolsz" else word


def content_terms(text: str) -> list[str]:
    """The subject terms of a text: stems without stop words, and CJK pairs with a meaning."""
    stems = [stem(word) for word in words(text) if word not in STOP_WORDS]
    return stems + [pair for pair in cjk_bigrams(text) if not _EMPTY_PAIR.fullmatch(pair)]


def content_words(text: str) -> list[str]:
    """The content words, without stemming, and CJK runs that are not all hiragana."""
    subject_words = [word for word in words(text) if word not in STOP_WORDS]
    return subject_words + [run for run in cjk_runs(text) if not is_hiragana(run)]


def sentences(text: str) -> list[str]:
    """The sentences and lines of a text, stripped, without empty ones."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


def is_japanese(text: str) -> bool:
    """Whether the text has kana, or only ideographs."""
    return bool(_KANA.search(text)) or (bool(cjk_runs(text)) and not words(text))


def count_tokens(text: str) -> int:
    """Estimated tokens: 4 ASCII characters, or 1 other character, are a token."""
    return len(_TOKEN.findall(text))


def first_tokens(text: str, limit: int) -> str:
    """The beginning of `text` that fits into `limit` estimated tokens."""
    return "".join(_TOKEN.findall(text)[:limit])


def clip(text: str, limit: int) -> str:
    """At most `limit` characters of `text`, truncated between words, with an ellipsis."""
    if len(text) <= limit:
        return text
    first_chars = text[: limit - 1]
    return (first_chars.rsplit(" ", 1)[0] if " " in first_chars else first_chars).rstrip() + "…"


def last_tokens(text: str, limit: int) -> str:
    """The end of `text` that fits into `limit` estimated tokens."""
    tokens = _TOKEN.findall(text)
    return "".join(tokens[max(0, len(tokens) - limit) :])
