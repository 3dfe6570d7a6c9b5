"""Which sentences of an answer are doubtful, by their markers, names and numbers alone.

These signs hold in any language and understand no meaning, so they never judge: they say what a
model has to look at once more.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from rich_agent.domain.answer.citation import CitedText, resolve_citations
from rich_agent.domain.answer.numbers import known_numbers, strange_numbers, worked_out
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import terms_in
from rich_agent.domain.text import CJK, HAN, HANGUL, KATAKANA

_NO_PASSAGE = re.compile(r"\[0\]")
_LEFT_OUT = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_BULLET = re.compile(r"\A\s*+(?:[-*+•]|\d{1,3}[.)])\s")
_MARK = r"[ \t]?(?:\[[\d,; \t:web^]{1,20}\]|【[^】\n]{1,20}】)"
_MARKS = re.compile(_MARK)
_END = re.compile(rf"(?:[.!?…।؟]+[\"'”’»)*_]*(?:{_MARK})*(?=\s)|[。！？]+[」』）)*_]*(?:{_MARK})*)")
_WORD = re.compile(rf"[{CJK}]|[^\W\d_{CJK}][^\W{CJK}]*(?:[.'’-][^\W{CJK}]+)*")
_NAME_SIGN = re.compile(rf"[{KATAKANA}{HAN}{HANGUL}]")
_ASIDE = r"[*_]*+[(（].*[)）][*_]*"
_IS_ASIDE = re.compile(_ASIDE)
# A heading, a lead-in, a question, an aside in brackets.
_STATES_NOTHING = re.compile(rf"#.*|.*[:：?？؟][*_]*|{_ASIDE}")
_FEWEST_WORDS = 3
_NOTHING_FOUND_CHARS = 400
"""The longest way to say that nothing was found; whatever is longer states something, too."""
_SAME_LANGUAGE = 0.4
"""An answer of whose words fewer were given is in another language than its passages."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer without its markers; `strange` names and numbers were not given."""

    text: str
    strange: frozenset[str]
    is_doubtful: bool


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a model says about numbered sentences: which no passage supports, by number from 1.

    `nothing_found` when all that they say is that the passages hold no answer.
    """

    unsupported: frozenset[int] = frozenset()
    nothing_found: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer compared with its passages.

    `says_nothing` when it says that they hold no answer; `unsupported` are the sentences that no
    passage supports, in the opinion of a model.
    """

    cited: CitedText
    sentences: tuple[Sentence, ...]
    says_nothing: bool
    unsupported: tuple[Sentence, ...] = ()

    @property
    def is_grounded(self) -> bool:
        """Whether it cites, or says that there is nothing to cite."""
        return bool(self.cited.citations) or self.says_nothing

    @property
    def doubtful(self) -> tuple[Sentence, ...]:
        """What is to be looked at again: all of an answer that neither cites nor says [0]."""
        return tuple(s for s in self.sentences if s.is_doubtful or not self.is_grounded)

    def with_opinion(self, opinion: Opinion) -> "Judged":
        """With what a model says of the `doubtful` sentences."""
        refused = tuple(s for n, s in enumerate(self.doubtful, 1) if n in opinion.unsupported)
        is_silent = (self.says_nothing or opinion.nothing_found) and not self.cited.citations
        return replace(self, unsupported=refused, says_nothing=is_silent and not refused)

    def as_repair_of(self, first: "Judged") -> "Judged":
        """With what it still has of the unsupported sentences of the `first` wording."""
        refused = {sentence.text for sentence in first.unsupported}
        strange = frozenset[str]().union(*(sentence.strange for sentence in first.unsupported))
        kept = (s for s in self.sentences if s.text in refused or s.strange & strange)
        return replace(self, unsupported=tuple(kept))


def judge(text: str, passages: Sequence[Passage], given: str) -> Judged:
    """The answer with its markers resolved, and its sentences with what is doubtful of them.

    `given` is all that the model read: names and numbers of the conversation may be repeated.
    """
    cited = resolve_citations(text.strip(), passages)
    prose = _LEFT_OUT.sub(" ", text)
    says_nothing = not cited.citations and bool(_NO_PASSAGE.search(text))
    is_silent = says_nothing and len(text) <= _NOTHING_FOUND_CHARS
    terms, numbers = terms_in(given), known_numbers(given)
    numbers |= worked_out(_MARKS.sub("", prose), numbers)
    plain = [new for word, new in _words(_MARKS.sub("", prose), terms) if not word[0].isupper()]
    is_foreign = len(plain) >= _FEWEST_WORDS and plain.count(False) < _SAME_LANGUAGE * len(plain)
    sentences = []
    for written in _sentences(prose):
        own = resolve_citations(written, passages).citations
        is_marked = bool(own or is_silent or _NO_PASSAGE.search(written))
        if sentence := _MARKS.sub("", _BULLET.sub("", written, count=1)).strip():
            says = [] if _STATES_NOTHING.fullmatch(sentence) else _words(sentence, terms)
            strange = {*strange_numbers(sentence, numbers), *_names(says, is_foreign or is_silent)}
            is_new = not is_marked and _is_new(says)
            if not is_marked:
                strange |= {word for word, new in says[1:] if new and word[0].isupper()}
            sentences.append(Sentence(sentence, frozenset(strange), bool(strange) or is_new))
    return Judged(cited, tuple(sentences), says_nothing)


def _names(words: Sequence[tuple[str, bool]], is_foreign: bool) -> Iterator[str]:  # noqa: FBT001
    """New words side by side with capitals, or new characters of Chinese, Japanese and Korean.

    One alone says little where every noun has a capital. In another language every character is
    new, and so is the first word with its capital.
    """
    pairs = pairwise(words[1:] if is_foreign else words)
    for (one, is_new), (other, is_next_new) in pairs:
        by_capital = one[0].isupper() and other[0].isupper()
        by_sign = _NAME_SIGN.match(one) and _NAME_SIGN.match(other) and not is_foreign
        if is_new and is_next_new and (by_capital or by_sign):
            yield from (one, other)


def _is_new(words: Sequence[tuple[str, bool]]) -> bool:
    return len(words) >= _FEWEST_WORDS and 2 * sum(new for _, new in words) >= len(words)


def _sentences(text: str) -> Iterator[str]:
    """The sentences and lines of a text, each with the markers behind it."""
    for line in text.splitlines():
        start = 0
        for end in () if _IS_ASIDE.fullmatch(line.strip()) else _END.finditer(line):
            initial = line[max(0, end.start() - 2) : end.start()].strip()
            # "z. B. so" and "J. Smith" do not end there.
            if line[end.end() : end.end() + 2].strip()[:1].islower() or len(initial) == 1:
                continue
            yield line[start : end.end()]
            start = end.end()
        if line[start:].strip():
            yield line[start:]


def _words(text: str, given: frozenset[str]) -> list[tuple[str, bool]]:
    """The words of a text, or its Chinese, Japanese and Korean characters, and which are new."""
    found = _WORD.findall(unicodedata.normalize("NFKC", text))
    return [(w, bool(terms := terms_in(w)) and not terms & given) for w in found]
