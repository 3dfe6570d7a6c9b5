"""Which sentences of an answer are doubtful, by their markers, names and numbers alone.

These signs hold in any language and understand no meaning, so they never judge: they say what a
model has to look at once more. What it finds is written into the answer as markers.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise

from rich_agent.domain.answer.citation import CitedText, resolve_citations
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import Languages, languages_in, terms_in
from rich_agent.domain.text import CJK, HAN, HANGUL, KATAKANA, normalized

_SPACED = r"(?<![\d.,])\d{1,3}(?: \d{3})+(?![.,]?\d)"
_WRITTEN = rf"{_SPACED}|\d+(?:[.,'’٫٬]\d+)*"
_ANY = re.compile(_WRITTEN)
# No part of a name: SHA-256, N95, 3D4.
_NUMBER = re.compile(rf"(?<![A-Za-z_\d.])(?<![A-Za-z]-)({_WRITTEN})(?![A-Za-z]*\d)\s?([%٪])?")
_WHOLE = re.compile(r"\d{1,3}(?:[.,'’٬ ]\d{3})+(?:[.,٫]\d+)?|\d+[.,٫]\d+|\d+")
_DIGITS = re.compile(r"\d+")
_GROUPING = re.compile(r"[.,'’٬ ](?=\d{3}(?!\d))")
_CLAUSE = re.compile(r"[=≈();:]|[,.] ")
_SIGN = re.compile(r"[×*·⋅÷/+−]|\\times|\\cdot|(?<=\s)[x–-](?=\s)")
_MOST_DIGITS = 16
_CONVERSIONS = frozenset({"12", "24", "30", "31", "52", "60", "100", "365", "366", "1000", "1024"})
"""What a working may use without a source: hours of a day, days of a year and their like."""


def strange_numbers(text: str, known: frozenset[str]) -> tuple[str, ...]:
    """The numbers of a text that are not `known`, each once, as they are written.

    Integers below 10, and numbers that are part of a name, are passed over.
    """
    found = (match for match in _NUMBER.finditer(_normalise(text)) if not _is_in(known, match))
    return tuple(dict.fromkeys(match[0].strip() for match in found))


def known_numbers(text: str) -> frozenset[str]:
    """The significant digits of all numbers in a text, also cut and rounded to two or more."""
    plain = _normalise(text)
    found = {_significant(one) for one in (*_ANY.findall(plain), *_DIGITS.findall(plain))}
    shorter = {
        cut.strip("0")
        for one in found
        for length in range(2, len(one))
        for cut in (one[:length], str(int(one[:length]) + (one[length] >= "5")))
    }
    return frozenset(found | shorter)


def worked_out(text: str, known: frozenset[str]) -> frozenset[str]:
    """The significant digits of what a text works out from `known` numbers, line by line.

    "12 × $20 = $240" and "168 hours (7 days × 24)" show their working, in any language.
    """
    reached = set(known)
    for line in _normalise(text).replace("**", "").splitlines():
        results = {_significant(number[1]) for number in _NUMBER.finditer(line)}
        for clause in _CLAUSE.split(line):
            numbers = list(_NUMBER.finditer(clause))
            between = (clause[a.end() : b.start()] for a, b in pairwise(numbers))
            signs = [found_signs[-1] for text in between if (found_signs := _SIGN.findall(text))]
            is_known = all(_is_in(reached, n) or n[1] in _CONVERSIONS for n in numbers)
            if is_known and len(numbers) == len(signs) + 1 > 1:
                value = known_numbers(_result([n[1] for n in numbers], signs))
                if results & value:
                    reached |= results & value
                    reached.update(_significant(number[1]) for number in numbers)
    return frozenset(reached - known)


def _normalise(text: str) -> str:
    """The text with ASCII digits; superscripts and numbers in circles, which are none, go."""
    kept = "".join(c for c in text if unicodedata.category(c) != "No")
    folded = normalized("NFKC", kept)
    return re.sub(r"[^\D0-9]", lambda found: str(unicodedata.digit(found[0])), folded)


def _significant(number: str) -> str:
    return "".join(_DIGITS.findall(number)).strip("0")[:_MOST_DIGITS]


def _is_in(known: AbstractSet[str], match: re.Match[str]) -> bool:
    """Whether the number was given or is small; one such as a date or a list, by its parts."""
    parts = [match[1]] if _WHOLE.fullmatch(match[1]) else _DIGITS.findall(match[1])
    small = 0 if match[2] else 1
    return all(
        len(p.lstrip("0")) <= small or not (digits := _significant(p)) or digits in known
        for p in parts
    )


def _result(numbers: Sequence[str], signs: Sequence[str]) -> str:
    """The significant digits of what numbers with signs between them come to, at most nine."""
    terms = [_value(numbers[0])]
    for sign, number in zip(signs, map(_value, numbers[1:]), strict=True):
        if sign in "+−–-":
            terms.append(number if sign == "+" else -number)
        elif sign in "÷/":
            terms[-1] = terms[-1] / number if number else Decimal(0)
        else:
            terms[-1] *= number
    return _significant(f"{sum(terms):.8e}".partition("e")[0])


def _value(number: str) -> Decimal:
    whole, *rest = _DIGITS.findall(_GROUPING.sub("", number[: 2 * _MOST_DIGITS]))
    return Decimal(f"{whole}.{''.join(rest)}")


_NO_PASSAGE = re.compile(r"\[0\]")
_LEFT_OUT = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|https?://\S+", re.DOTALL)
_BULLET = re.compile(r"\A\s*+(?:[-*+•]|\d{1,3}[.)])\s")
_MARK = r"[ \t]?(?:\[[\d,; \t:web^]{1,20}\]|【[^】\n]{1,20}】)"
_MARKS = re.compile(_MARK)
# A run of marks is read once, from its first one on.
_END = re.compile(
    rf"(?<![.!?…।؟])[.!?…।؟]++[\"'”’»)*_]*+(?:{_MARK})*(?=\s)|[。！？]++[」』）)*_]*+(?:{_MARK})*+"
)
_WORD = re.compile(rf"[{CJK}]|[^\W\d_{CJK}][^\W{CJK}]*(?:[.'’-][^\W{CJK}]+)*")
_NAME_SIGN = re.compile(rf"[{KATAKANA}{HAN}{HANGUL}]")
_ASIDE = r"[*_]*+[(（].*[)）][*_]*"
_IS_ASIDE = re.compile(_ASIDE)
# A heading, a lead-in, a question, an aside in brackets.
_STATES_NOTHING = re.compile(rf"#.*|.*[:：?？؟][*_]*|{_ASIDE}")
MOST_JUDGED = 20_000
"""Characters of an answer whose sentences are compared; nobody reads doubts about more."""
# A table's row whose next line rules off its head.
_HEAD = re.compile(r"[ \t]*+\n[ \t]*+\|?[ \t]*+:?-")
_CLOSES_WIDE = re.compile("[。！？」』）]")
_PLACEHOLDER = "\ufffc"
"""Stands for code and addresses within a line, whose places in the answer are kept."""
MOST_ASKED = 20
"""Sentences that a model is asked about at once."""
_MOST_NAMED = 3
"""Passages that are named behind one sentence."""
_FEWEST_WORDS = 3
_NOTHING_FOUND_CHARS = 400
"""The longest way to say that nothing was found; whatever is longer states something, too."""
_SAME_LANGUAGE = 0.4
"""An answer of whose words fewer were given is in another language than its passages."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an answer without its markers; `strange` names and numbers were not given.

    `place` is where a marker goes in the answer, None where none does: it has one, or states
    nothing.
    """

    text: str
    strange: frozenset[str]
    is_doubtful: bool
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """A model's opinion of numbered sentences, each by its number from 1.

    The `supported` ones have the numbers of the passages that say so, which may be none that there
    is. The `unanswering` say that there is no answer, the `unclaiming` need no passage.
    """

    supported: Mapping[int, Sequence[int]] = field(default_factory=dict)
    unsupported: frozenset[int] = frozenset()
    unanswering: frozenset[int] = frozenset()
    unclaiming: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer compared with its passages.

    `says_nothing` when it says that they hold no answer, `needs_none` when it claims nothing that
    they could hold. In the opinion of a model, `supports` are the numbers of the passages that say
    what a sentence says, and no passage says the `unsupported` sentences.
    """

    written: str
    passages: Sequence[Passage]
    cited: CitedText
    sentences: tuple[Sentence, ...]
    says_nothing: bool
    needs_none: bool = False
    supports: Mapping[str, Sequence[int]] = field(default_factory=dict)
    unsupported: tuple[Sentence, ...] = ()

    @property
    def is_grounded(self) -> bool:
        """Whether it cites, says that there is nothing to cite, or has nothing to."""
        return bool(self.cited.citations) or self.says_nothing or self.needs_none

    @property
    def doubtful(self) -> tuple[Sentence, ...]:
        """The sentences to be checked again: all of an answer that neither cites nor says [0]."""
        return tuple(s for s in self.sentences if s.is_doubtful or not self.is_grounded)

    def with_opinion(self, opinion: Opinion, passages: Sequence[int]) -> "Judged":
        """With what a model says of the first `MOST_ASKED` of the `doubtful` sentences.

        `passages` are the numbers here of the passages that it read, in the order of its numbers.
        What is said to be both supported and not is not.
        """
        asked = dict(enumerate(self.doubtful[:MOST_ASKED], 1))
        refused = tuple(s for n, s in asked.items() if n in opinion.unsupported)
        supports = {
            sentence.text: [passages[k - 1] for k in named if 1 <= k <= len(passages)]
            for n, sentence in asked.items()
            if (named := opinion.supported.get(n)) and n not in opinion.unsupported
        }
        marked = replace(self._marked(supports), unsupported=refused)
        if refused or marked.cited.citations:
            return replace(marked, says_nothing=False)
        is_silent = self.says_nothing or not opinion.unanswering.isdisjoint(asked)
        # A lead-in takes no marker, also where a passage is said to support it.
        leads = {n for n in opinion.supported if n in asked and asked[n].place is None}
        claims_nothing = asked.keys() <= opinion.unclaiming | opinion.unanswering | leads
        return replace(marked, says_nothing=is_silent, needs_none=claims_nothing and bool(asked))

    def as_repair_of(self, first: "Judged") -> "Judged":
        """With what it still has of the sentences of the `first` wording.

        The unsupported ones stay so in other words; those with a passage keep it.
        """
        refused = {sentence.text for sentence in first.unsupported}
        strange = frozenset[str]().union(*(sentence.strange for sentence in first.unsupported))
        kept = (s for s in self.sentences if s.text in refused or s.strange & strange)
        return replace(self._marked(first.supports), unsupported=tuple(kept))

    def _marked(self, supports: Mapping[str, Sequence[int]]) -> "Judged":
        """With a marker behind each sentence of which it is known which passages say it."""
        parts, position = list[str](), 0
        for sentence in self.sentences:
            named = dict.fromkeys(supports.get(sentence.text, ()))
            if sentence.place is None or not named:
                continue
            before = self.written[position : sentence.place]
            marks = "".join(f"[{number}]" for number in list(named)[:_MOST_NAMED])
            lead = "" if _CLOSES_WIDE.match(before[-1:]) else " "
            # "[1](note)" would be a link.
            tail = " " if self.written[sentence.place :][:1] == "(" else ""
            parts += [before, lead, marks, tail]
            position = sentence.place
        text = "".join([*parts, self.written[position:]])
        cited = resolve_citations(text, self.passages) if parts else self.cited
        return replace(self, written=text, cited=cited, supports=supports)


def says_nothing(text: str) -> bool:
    """Whether an answer has the marker of what no passage says."""
    return bool(_NO_PASSAGE.search(text))


@dataclass(frozen=True, slots=True)
class _Known:
    """The terms that were given, all of them read as in the languages of the answer."""

    terms: frozenset[str]
    languages: Languages


def judge(text: str, passages: Sequence[Passage], given: str) -> Judged:
    """The answer with its markers resolved, and its sentences with what is doubtful of them.

    `given` is all that the model read: names and numbers of the conversation may be repeated. The
    sentences are those of the first `MOST_JUDGED` characters.
    """
    text = text.strip()
    cited = resolve_citations(text, passages)
    prose = _LEFT_OUT.sub(_blank, text[:MOST_JUDGED])
    lacks = says_nothing(text) and not cited.citations
    is_silent = lacks and len(text) <= _NOTHING_FOUND_CHARS
    languages = languages_in(prose)
    known, numbers = _Known(terms_in(given, languages), languages), known_numbers(given)
    numbers |= worked_out(_MARKS.sub("", prose), numbers)
    plain = [new for word, new in _words(_MARKS.sub("", prose), known) if not word[0].isupper()]
    is_foreign = len(plain) >= _FEWEST_WORDS and plain.count(False) < _SAME_LANGUAGE * len(plain)
    sentences = []
    for start, end in _sentences(prose):
        written = prose[start:end]
        own = resolve_citations(written, passages).citations
        is_marked = bool(own) or is_silent or says_nothing(written)
        sentence = _plain(written)
        if not any(map(str.isalnum, sentence)):
            continue
        states = not _STATES_NOTHING.fullmatch(sentence)
        says = _words(sentence, known) if states else []
        strange = {*strange_numbers(sentence, numbers), *_names(says, is_foreign or is_silent)}
        is_doubtful = bool(strange) or (not is_marked and _is_new(says))
        if not is_marked:
            new = {word for word, is_new in says[1:] if is_new and word[0].isupper()}
            strange, is_doubtful = strange | new, is_doubtful or bool(new)
        place = _place(prose, start, end) if states and not is_marked else None
        shown = _plain(text[end - len(written.lstrip()) : start + len(written.rstrip())])
        sentences.append(Sentence(shown, frozenset(strange), is_doubtful, place))
    return Judged(text, passages, cited, tuple(sentences), lacks)


def _plain(written: str) -> str:
    """A sentence without the sign of a list and without markers."""
    return _MARKS.sub("", _BULLET.sub("", written, count=1)).strip()


def _blank(code: re.Match[str]) -> str:
    """As many characters in its place, with the ends of its lines."""
    lines = code[0].split("\n")
    filler = " " if len(lines) > 1 else _PLACEHOLDER
    return "\n".join(filler * len(line) for line in lines)


def _place(text: str, start: int, end: int) -> int | None:
    """Return the place for a sentence's marker: its end, or inside the last cell of a table row.

    None for the head of a table.
    """
    end = start + len(text[start:end].rstrip())
    if text[end - 1] != "|":
        return end
    return None if _HEAD.match(text, end) else start + len(text[start : end - 1].rstrip())


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


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence and line, with the markers behind it."""
    at = 0
    for ended in text.splitlines(keepends=True):
        line, start = ended.rstrip("\r\n"), 0
        for end in () if _IS_ASIDE.fullmatch(line.strip()) else _END.finditer(line):
            initial = line[max(0, end.start() - 2) : end.start()].strip()
            # "z. B. so" and "J. Smith" do not end there.
            if line[end.end() : end.end() + 2].strip()[:1].islower() or len(initial) == 1:
                continue
            yield at + start, at + end.end()
            start = end.end()
        if line[start:].strip():
            yield at + start, at + len(line)
        at += len(ended)


def _words(text: str, known: _Known) -> list[tuple[str, bool]]:
    """The words of a text, or its Chinese, Japanese and Korean characters, and which are new."""
    found = _WORD.findall(normalized("NFKC", text))
    return [
        (w, bool(terms := terms_in(w, known.languages)) and not terms & known.terms) for w in found
    ]
