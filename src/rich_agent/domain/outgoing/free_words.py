"""Words that may leave unasked while others speak: those that tell nothing but what was said.

A value is free if each of its words is. What is no word at all, such as a mark that nobody writes
there, is not free either.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

import regex

from rich_agent.domain.outgoing.everyday_words import (
    LONGEST_PART,
    UNSPACED_RUN,
    is_everyday,
    is_function_word,
)
from rich_agent.domain.retrieval.search_terms import Languages, is_stop_word, languages_in, terms_in
from rich_agent.domain.text import normalized
from rich_agent.domain.value_texts import AROUND, is_in

_WORD = regex.compile(r"[\w\p{M}]++(?:['’ʼ][\w\p{M}]++)*+")
_SIGNS = UNSPACED_RUN.pattern.removesuffix("+")
_PART = regex.compile(rf"{_SIGNS}++|[[\w\p{{M}}]--_--{_SIGNS}]++", regex.V1)
_LETTER = regex.compile(rf"[\p{{L}}--{_SIGNS}]", regex.V1)
_SPACES = regex.compile(r"[^\S \n]|\s{3}")
_MARK = r"[!\"'()+,\-./:;?\[\]°€£¥«»“”„‘’‚–—…·¿¡、。「」『』（）！？：；・，।،؛؟]"
_OPENS, _CLOSES = r"[(\[\"'“„«»‘（「『¿¡]", r"[)\]\"'“”»«’）」』]"
_ENDS = r"[.,;:!?…、。！？：；，।،؛؟]"
_EDGE = regex.compile(
    rf"{_MARK}?|&|\.{{3}}|[!?！？]{{2}}|{_OPENS}{{2}}|{_CLOSES}{{2}}{_ENDS}?|{_CLOSES}{_ENDS}"
    rf"|{_ENDS}{_CLOSES}"
)
"""Marks that people write at one edge of a word; others could be a writing."""
_EDGE_IN_PROSE = regex.compile(rf"[<>]|#{{1,3}}|{_ENDS}?\*{{1,2}}{_ENDS}?")
"""Marks of Markdown, and of what is to be filled in."""
_SIGN_OF_NUMBER = regex.compile(r"(?<=\d)[*<=>%](?=\d)|(?<=\d)%|\$(?=\d)")
_MOST_MARKS = 3
"""At each end of what was said."""
_JOINERS = {0x200C: None, 0x200D: None}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_STRUCK = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]\p{M}")
"""Letters with marks that their languages write as one sign."""
_LEAST_TOLD = 3
"""Letters of a word that is free because others wrote it: fewer could be parts of any word."""
_MOST_UNSPACED = 2_000


@dataclass(frozen=True)
class FreeWords:
    """The words of what the user `said`, and of `texts` that the place knows or anybody may.

    In `prose` without spaces a single sign may be any frequent one, a number among them.
    """

    said: str
    texts: tuple[str, ...] = ()
    prose: bool = False

    @cached_property
    def _said_words(self) -> frozenset[str]:
        return frozenset(_words_of([self.said]))

    @cached_property
    def _text_words(self) -> frozenset[str]:
        return frozenset(_words_of(self.texts))

    @cached_property
    def _text_tokens(self) -> frozenset[str]:
        tokens = (token.strip(AROUND) for text in self.texts for token in text.split())
        return frozenset(token for token in tokens if len(token) > _LEAST_TOLD)

    @cached_property
    def _folded_message(self) -> str:
        return normalized("NFKC", self.said).casefold()

    def cover(self, value: str) -> bool:
        """Whether all of a value is free."""
        if _SPACES.search(value) or sum(map(len, UNSPACED_RUN.findall(value))) > _MOST_UNSPACED:
            return False
        if self._is_said(value):
            return True
        tokens = value.split()
        bare = sum(not any(map(str.isalnum, token)) for token in tokens)
        return 2 * bare <= len(tokens) and all(map(self._covers_token, tokens))

    def _is_said(self, value: str) -> bool:
        has_few_marks = len(value) - len(value.strip(AROUND)) <= 2 * _MOST_MARKS
        return has_few_marks and is_in(value, self.said)

    def _covers_token(self, token: str) -> bool:
        visible = token.translate(_JOINERS)
        if any(unicodedata.category(one) in _HIDDEN for one in visible) or _IGNORED.search(visible):
            return False
        plain = normalized("NFKC", visible)
        words = _WORD.findall(plain)
        edges = _WORD.split(_SIGN_OF_NUMBER.sub(_bare_sign, plain))
        # Full-width and other forms of letters could be a writing.
        is_plain = words == _WORD.findall(normalized("NFC", visible)) and all(
            map(self._is_edge, edges)
        )
        if is_plain and plain and all(map(self._covers_word, words)):
            return True
        return self._is_said(token) or token.strip(AROUND) in self._text_tokens

    def _is_edge(self, marks: str) -> bool:
        in_prose = self.prose and _EDGE_IN_PROSE.fullmatch(marks)
        return bool(in_prose or _EDGE.fullmatch(marks))

    def _covers_word(self, word: str) -> bool:
        if not all(word.split("_")):
            return word in self._said_words
        if self._is_free(word):
            return True
        parts = _PART.findall(word)
        letters = [part for part in parts if _LETTER.fullmatch(part)]
        unfree = [part for part in parts if not self._is_free(part)]
        # "museum's", "l'heure" and "c'è" have a single letter that says nothing.
        return (len(parts) == 2 or len(letters) <= 1 < len(parts)) and (
            not unfree or (len(unfree) == 1 and unfree[0] in letters and "_" not in word)
        )

    def _is_free(self, word: str) -> bool:
        plain = word.casefold()
        is_of_others = word in self._text_words or plain in self._text_words
        if any(map(str.isnumeric, word)) and not UNSPACED_RUN.fullmatch(word):
            return plain in self._said_words or is_of_others
        if word not in {plain, word.upper(), word.capitalize(), word.title()}:
            return word in self._said_words or word in self._text_words
        if plain in self._said_words or (is_of_others and len(plain) >= _LEAST_TOLD):
            return True
        if UNSPACED_RUN.fullmatch(plain):
            return self._falls_into_free_parts(plain)
        if len(plain) == 1:
            return is_stop_word(plain)
        return is_everyday(plain) or is_inflected(word, self.said)

    def _falls_into_free_parts(self, run: str) -> bool:
        """Whether a text without spaces is made of what was said and of everyday words."""
        ends = {0}
        for start in range(len(run)):
            if start in ends:
                sizes = range(1, min(LONGEST_PART, len(run) - start) + 1)
                parts = (run[start : start + size] for size in sizes)
                ends.update(start + len(part) for part in parts if self._is_free_part(part))
        return len(run) in ends

    def _is_free_part(self, part: str) -> bool:
        if part in self._folded_message:
            return True
        if len(part) == 1 and not self.prose:
            return is_function_word(part) and unicodedata.numeric(part, None) is None
        return is_everyday(part) or (part in self._text_words and len(part) > 1)


def _bare_sign(sign: regex.Match[str]) -> str:
    """Return "" for a sign of a number, and one mark where it stands between two numbers."""
    return "-" if sign.string[sign.end() : sign.end() + 1].isdigit() and sign[0] != "$" else ""


def is_inflected(word: str, message: str) -> bool:
    """Whether a word is one that was said, with other endings."""
    languages, terms = _terms_of(message)
    own = terms_in(word, languages)
    return bool(own) and own <= terms


@lru_cache(maxsize=4)
def _terms_of(message: str) -> tuple[Languages, frozenset[str]]:
    languages = languages_in(message)
    return languages, terms_in(message, languages)


def _words_of(texts: Iterable[str]) -> Iterable[str]:
    """Each word of texts as it is written, folded, and in its parts."""
    for text in texts:
        for word in _WORD.findall(normalized("NFKC", text)):
            yield word
            yield word.casefold()
            yield from (part.casefold() for part in _PART.findall(word))
