"""The languages that an embedding model knows, learned from the documents themselves.

A sentence should be nearer to the rest of its own chunk than to any other chunk. If it is not, the
model does not know the language, even if its best hits stand out: often the same few chunks win
every question. The sentence is removed from its chunk, else a model that only matches words would
find it. No labels, list of models or questions of users are needed.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import regex

from rich_agent.domain.retrieval.search_terms import languages_in, script_of
from rich_agent.domain.retrieval.stop_words import STOP_WORDS
from rich_agent.domain.text import counted

_READ = 2_000
_LONGEST_SENTENCE = 300
_SHORTEST_SENTENCE = 20
_FULLY_KNOWN = 0.7
_SHARPNESS = 2
_KNOWN = 0.5
UNKNOWN_BELOW = 0.15
"""Below this weight, the model counts as not knowing the language."""
_LETTER = regex.compile(r"\p{L}")
_SENTENCE = regex.compile(r"[^.!?\n。！？؟।။]++[.!?。！？؟।။]?")
_LEAST_WEIGHT = 0.01  # vectors still rank if words find nothing
# Languages of scripts that only one language uses.
_NAMES = {"CJK": "chinese", "HIRAGANA": "japanese", "KATAKANA": "japanese", "HANGUL": "korean"}
_KANA = ("HIRAGANA", "KATAKANA")
_SHARED = frozenset(script for script, lists in STOP_WORDS.items() if len(lists) > 1)


@dataclass(frozen=True, slots=True)
class TextLanguage:
    """A text's main language in lower case, "" if its script has several and words do not tell.

    `script` is a Unicode name, "" without letters; Japanese and Chinese share one.
    """

    name: str
    script: str


def main_language(text: str) -> TextLanguage:
    """The language of the script that most letters of the text (its first 2,000) have."""
    scripts = Counter(script_of(letter) for letter in _LETTER.findall(text[:_READ]))
    if not scripts:
        return TextLanguage("", "")
    script = scripts.most_common(1)[0][0]
    if script in ("CJK", *_KANA):
        name = "japanese" if any(scripts[kana] for kana in _KANA) else "chinese"
        return TextLanguage(name, "CJK")
    names = languages_in(text[:_READ]) & frozenset(STOP_WORDS.get(script, ()))
    script_language = "" if script in _SHARED else _NAMES.get(script, script.lower())
    return TextLanguage(next(iter(names), script_language), script)


def inner_sentence(text: str) -> str:
    """A sentence from the middle of a text, at most 300 characters."""
    sentences: list[str] = [
        sentence.strip() for sentence in _SENTENCE.findall(text) if sentence.strip()
    ]
    fitting_sentences = [
        sentence
        for sentence in sentences
        if _SHORTEST_SENTENCE <= len(sentence) <= _LONGEST_SENTENCE
    ]
    candidate_sentences = fitting_sentences or sentences or [text]
    return candidate_sentences[len(candidate_sentences) // 2][:_LONGEST_SENTENCE]


def without_sentence(text: str, sentence: str) -> str:
    """The text without a sentence; the whole text if hardly anything would be left."""
    remaining_text = text.replace(sentence, " ", 1).strip()
    return remaining_text if len(remaining_text) >= _SHORTEST_SENTENCE else text


@dataclass(frozen=True, slots=True)
class LanguageTrust:
    """The knowledge that a model has of one language of the documents."""

    name: str
    script: str
    chunks: int
    """The number of chunks in the language among the sample."""
    asked: int
    """The number of sentences that were compared."""
    found: int
    """The number of sentences that were nearest to the rest of their chunk."""
    winners: int
    """The number of different chunks that were nearest to a sentence."""
    share: float
    """The share (0..1) of the best hits' surprise that the own chunk has."""

    @property
    def weight(self) -> float:
        """The factor for the vectors of a question in this language, 0..1.

        The constants were fitted on six collections in five languages; see docs/benchmarks.md.
        """
        share = self.share * self.winners / max(self.asked, 1)
        return max(min(share / _FULLY_KNOWN, 1.0) ** _SHARPNESS, _LEAST_WEIGHT)

    @property
    def is_unknown(self) -> bool:
        """Whether words decide nearly alone."""
        return self.weight < UNKNOWN_BELOW

    def in_words(self) -> str:
        """The result of the comparison, in a line."""
        if self.is_unknown:
            verdict = f"this embedding model does not know {self.display_name}: words decide"
        elif self.weight < _KNOWN:
            verdict = f"this embedding model knows {self.display_name} a little: words count more"
        else:
            verdict = f"this embedding model knows {self.display_name}: words and meaning count"
        sentences = counted(self.asked, "sentence")
        return f"{verdict} ({self.found} of {sentences} led to the rest of their passage)"

    @property
    def display_name(self) -> str:
        """The name of the language, or of its script."""
        name = self.name.partition("-")[0]
        return name.title() if name else f"texts in {self.script.title()} script"

    def to_json(self) -> dict[str, Any]:
        """The fields to store."""
        return asdict(self)


def trust_in_vectors(text: str, judgements: Iterable[LanguageTrust]) -> float:
    """The factor for the vectors of this question, 0..1.

    It is the weight of the question's language. If that was not learned, it is the mean of the
    languages in its script, weighted by their chunks; for a text without letters, the mean of all.
    If no document has the script, the factor is 1, because only vectors can help.
    """
    trusts = list(judgements)
    language = main_language(text)
    same_language = [trust for trust in trusts if trust.name == language.name != ""]
    same_script = [
        trust for trust in trusts if not language.script or trust.script == language.script
    ]
    relevant_trusts = same_language or same_script
    if not relevant_trusts:
        return 1.0
    chunk_count = sum(trust.chunks for trust in relevant_trusts)
    return sum(trust.chunks * trust.weight for trust in relevant_trusts) / chunk_count


def read_trusts(record: Mapping[str, Any] | None) -> tuple[LanguageTrust, ...]:
    """The trusts that a sync stored with the vectors, () before the first."""
    return tuple(LanguageTrust(**trust) for trust in (record or {}).get("learned", ()))
