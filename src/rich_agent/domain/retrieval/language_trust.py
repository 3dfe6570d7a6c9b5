"""The languages that an embedding model knows, learned from the documents themselves.

One sentence of a chunk should be nearer to the rest of its chunk than to any other chunk. Where it
is not, the model does not know the language, however far its best hits stand out: often the same
few chunks win every question. The sentence itself is taken out, because a model that only matches
words would find it. No label, no list of models and no user's question is needed.
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
"""With less weight, the model does not know the language."""
_LETTER = regex.compile(r"\p{L}")
_SENTENCE = regex.compile(r"[^.!?\n。！？؟।။]++[.!?。！？؟।။]?")
_LEAST_WEIGHT = 0.01  # where words find nothing, the vectors still rank
# Scripts whose names in Unicode are not those of people, and that one language uses.
_NAMES = {"CJK": "chinese", "HIRAGANA": "japanese", "KATAKANA": "japanese", "HANGUL": "korean"}
_KANA = ("HIRAGANA", "KATAKANA")
_SHARED = frozenset(script for script, lists in STOP_WORDS.items() if len(lists) > 1)


@dataclass(frozen=True, slots=True)
class TextLanguage:
    """A text's main language, in lower case; "" where several are of its script and none is told.

    `script` is a name of Unicode, "" without a letter; Japanese and Chinese are of one.
    """

    name: str
    script: str


def main_language(text: str) -> TextLanguage:
    """The language of the script that most letters of the text (its first 2,000) are of."""
    scripts = Counter(script_of(letter) for letter in _LETTER.findall(text[:_READ]))
    if not scripts:
        return TextLanguage("", "")
    script = scripts.most_common(1)[0][0]
    if script in ("CJK", *_KANA):
        name = "japanese" if any(scripts[kana] for kana in _KANA) else "chinese"
        return TextLanguage(name, "CJK")
    names = languages_in(text[:_READ]) & frozenset(STOP_WORDS.get(script, ()))
    only = "" if script in _SHARED else _NAMES.get(script, script.lower())
    return TextLanguage(next(iter(names), only), script)


def inner_sentence(text: str) -> str:
    """A sentence from the middle of a text, at most 300 characters."""
    sentences: list[str] = [one.strip() for one in _SENTENCE.findall(text) if one.strip()]
    fitting = [one for one in sentences if _SHORTEST_SENTENCE <= len(one) <= _LONGEST_SENTENCE]
    best = fitting or sentences or [text]
    return best[len(best) // 2][:_LONGEST_SENTENCE]


def without_sentence(text: str, sentence: str) -> str:
    """The text without a sentence; the text itself where next to nothing would be left."""
    rest = text.replace(sentence, " ", 1).strip()
    return rest if len(rest) >= _SHORTEST_SENTENCE else text


@dataclass(frozen=True, slots=True)
class LanguageTrust:
    """The knowledge that a model has of one language of the documents.

    Of `asked` sentences, `found` were nearest to the rest of their chunk, and `winners` different
    chunks were the nearest to one. `share` (0..1) is how much of the surprise of the best hits was
    due to the own chunk; `chunks` tells how common the language is among those looked at.
    """

    name: str
    script: str
    chunks: int
    asked: int
    found: int
    winners: int
    share: float

    @property
    def weight(self) -> float:
        """The factor for the vectors of a question in this language, 0..1.

        The constants were fitted on six collections in five languages; see docs/benchmarks.md.
        """
        share = self.share * self.winners / max(self.asked, 1)
        return max(min(share / _FULLY_KNOWN, 1.0) ** _SHARPNESS, _LEAST_WEIGHT)

    @property
    def is_unknown(self) -> bool:
        """Whether the words decide alone, but for a rest."""
        return self.weight < UNKNOWN_BELOW

    def in_words(self) -> str:
        """The finding about the model, in a line."""
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
        """The fields, to be stored."""
        return asdict(self)


def trust_in_vectors(text: str, judgements: Iterable[LanguageTrust]) -> float:
    """The factor for the vectors of this question, 0..1.

    That of its language; where it was not learned, the mean of its script, by how common its
    languages are; of a text without letters, the mean of all. A question in a script that no
    document has can be helped by vectors alone, so they count fully.
    """
    trusts = list(judgements)
    language = main_language(text)
    same = [one for one in trusts if one.name == language.name != ""]
    alike = [one for one in trusts if not language.script or one.script == language.script]
    relevant = same or alike
    if not relevant:
        return 1.0
    total = sum(one.chunks for one in relevant)
    return sum(one.chunks * one.weight for one in relevant) / total


def read_trusts(record: Mapping[str, Any] | None) -> tuple[LanguageTrust, ...]:
    """The knowledge that a sync stored with the vectors; nothing before the first one."""
    return tuple(LanguageTrust(**one) for one in (record or {}).get("learned", ()))
