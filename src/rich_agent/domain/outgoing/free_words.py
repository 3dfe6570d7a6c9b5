"""Words that may leave unasked next to foreign texts: they reveal only what the user said.

A value is free if each of its words is. A character that is no word, such as an unusual mark, is
not free.
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
"""The marks that people write at one edge of a word; others could hide a message."""
_EDGE_IN_PROSE = regex.compile(rf"[<>]|#{{1,3}}|{_ENDS}?\*{{1,2}}{_ENDS}?")
"""The marks of Markdown, and of placeholders."""
_SIGN_OF_NUMBER = regex.compile(r"(?<=\d)[*<=>%](?=\d)|(?<=\d)%|\$(?=\d)")
_MOST_MARKS = 3
"""The most marks at each end of a text that was said."""
_JOINERS = {0x200C: None, 0x200D: None}
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
_IGNORED = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_STRUCK = regex.compile(r"[\p{Latin}\p{Cyrillic}\p{Greek}]\p{M}")
"""Letters with marks that their languages write as one character."""
_LEAST_TOLD = 3
"""The fewest letters of a word that is free because others wrote it, and no mere part of a word."""
_MOST_UNSPACED = 2_000


@dataclass(frozen=True)
class FreeWords:
    """The words of the user's text `said`, and of `texts` that the recipient may know.

    In `prose` without spaces, a single character may be any frequent one, also a number.
    """

    said: str
    texts: tuple[str, ...] = ()
    prose: bool = False

    @cached_property
    def _said_words(self) -> frozenset[str]:
        """The words that the user said."""
        return frozenset(_words_of([self.said]))

    @cached_property
    def _text_words(self) -> frozenset[str]:
        """The words of the other texts."""
        return frozenset(_words_of(self.texts))

    @cached_property
    def _text_tokens(self) -> frozenset[str]:
        """The tokens of the other texts without surrounding marks, if long enough."""
        tokens = (token.strip(AROUND) for text in self.texts for token in text.split())
        return frozenset(token for token in tokens if len(token) > _LEAST_TOLD)

    @cached_property
    def _folded_message(self) -> str:
        """The user's text, normalized and in lower case."""
        return normalized("NFKC", self.said).casefold()

    def cover(self, value: str) -> bool:
        """Whether the whole value consists of free words."""
        if _SPACES.search(value) or sum(map(len, UNSPACED_RUN.findall(value))) > _MOST_UNSPACED:
            return False
        if self._is_said(value):
            return True
        tokens = value.split()
        mark_count = sum(not any(map(str.isalnum, token)) for token in tokens)
        return 2 * mark_count <= len(tokens) and all(map(self._covers_token, tokens))

    def _is_said(self, value: str) -> bool:
        """Whether the user said the whole value, with few marks around it."""
        has_few_marks = len(value) - len(value.strip(AROUND)) <= 2 * _MOST_MARKS
        return has_few_marks and is_in(value, self.said)

    def _covers_token(self, token: str) -> bool:
        """Whether a token between spaces is free."""
        visible = token.translate(_JOINERS)
        if any(
            unicodedata.category(character) in _HIDDEN for character in visible
        ) or _IGNORED.search(visible):
            return False
        normal_form = normalized("NFKC", visible)
        words = _WORD.findall(normal_form)
        edges = _WORD.split(_SIGN_OF_NUMBER.sub(_bare_sign, normal_form))
        # Full-width and other forms of letters could hide a message.
        is_plain = words == _WORD.findall(normalized("NFC", visible)) and all(
            map(self._is_edge, edges)
        )
        if is_plain and normal_form and all(map(self._covers_word, words)):
            return True
        return self._is_said(token) or token.strip(AROUND) in self._text_tokens

    def _is_edge(self, marks: str) -> bool:
        """Whether people write these marks at the edge of a word."""
        in_prose = self.prose and _EDGE_IN_PROSE.fullmatch(marks)
        return bool(in_prose or _EDGE.fullmatch(marks))

    def _covers_word(self, word: str) -> bool:
        """Whether a word is free, whole or in its parts."""
        if not all(word.split("_")):
            return word in self._said_words
        if self._is_free(word):
            return True
        word_parts = _PART.findall(word)
        letters = [part for part in word_parts if _LETTER.fullmatch(part)]
        unfree_parts = [part for part in word_parts if not self._is_free(part)]
        # "museum's", "l'heure" and "c'è" have a part of one letter without a meaning.
        return (len(word_parts) == 2 or len(letters) <= 1 < len(word_parts)) and (
            not unfree_parts
            or (len(unfree_parts) == 1 and unfree_parts[0] in letters and "_" not in word)
        )

    def _is_free(self, word: str) -> bool:
        """Whether a word without marks is free."""
        folded_word = word.casefold()
        is_in_texts = word in self._text_words or folded_word in self._text_words
        if any(map(str.isnumeric, word)) and not UNSPACED_RUN.fullmatch(word):
            return folded_word in self._said_words or is_in_texts
        if word not in {folded_word, word.upper(), word.capitalize(), word.title()}:
            return word in self._said_words or word in self._text_words
        if folded_word in self._said_words or (is_in_texts and len(folded_word) >= _LEAST_TOLD):
            return True
        if UNSPACED_RUN.fullmatch(folded_word):
            return self._falls_into_free_parts(folded_word)
        if len(folded_word) == 1:
            return is_stop_word(folded_word)
        return is_everyday(folded_word) or is_inflected(word, self.said)

    def _falls_into_free_parts(self, run: str) -> bool:
        """Whether a text without spaces consists of the user's words and everyday words."""
        reachable_ends = {0}
        for start in range(len(run)):
            if start in reachable_ends:
                part_lengths = range(1, min(LONGEST_PART, len(run) - start) + 1)
                parts = (run[start : start + part_length] for part_length in part_lengths)
                reachable_ends.update(
                    start + len(part) for part in parts if self._is_free_part(part)
                )
        return len(run) in reachable_ends

    def _is_free_part(self, part: str) -> bool:
        """Whether a part of a text without spaces is free."""
        if part in self._folded_message:
            return True
        if len(part) == 1 and not self.prose:
            return is_function_word(part) and unicodedata.numeric(part, None) is None
        return is_everyday(part) or (part in self._text_words and len(part) > 1)


def _bare_sign(sign: regex.Match[str]) -> str:
    """The hyphen for a sign between two numbers, "" for another sign of a number."""
    return "-" if sign.string[sign.end() : sign.end() + 1].isdigit() and sign[0] != "$" else ""


def is_inflected(word: str, message: str) -> bool:
    """Whether a word was said with other endings."""
    languages, message_terms = _terms_of(message)
    word_terms = terms_in(word, languages)
    return bool(word_terms) and word_terms <= message_terms


@lru_cache(maxsize=4)
def _terms_of(message: str) -> tuple[Languages, frozenset[str]]:
    """The languages of a message, and its terms."""
    languages = languages_in(message)
    return languages, terms_in(message, languages)


def _words_of(texts: Iterable[str]) -> Iterable[str]:
    """Each word of the texts as it is written, in lower case, and in its parts."""
    for text in texts:
        for word in _WORD.findall(normalized("NFKC", text)):
            yield word
            yield word.casefold()
            yield from (part.casefold() for part in _PART.findall(word))
