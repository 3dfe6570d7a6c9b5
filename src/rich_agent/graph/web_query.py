"""The query of a planned web search: it carries nothing that the bot keeps to the web."""

from datetime import datetime

from rapidfuzz import fuzz

from rich_agent.domain.memory.merging import shares_word
from rich_agent.domain.outgoing.free_words import FreeWords
from rich_agent.domain.retrieval.search_terms import script_of
from rich_agent.graph.origins import QueryJudge, names_of_files
from rich_agent.graph.state import TurnState, input_of
from rich_agent.graph.views import images_of, words_of

_LIKE = 70
"""Of 100, how like two texts are of which one has the other's typing errors."""
_LEAST_LETTERS = 4
"""Of an everyday word: shorter ones come by chance among random letters."""
_MOST_WORDS = 30
"""Of a query, that are judged one by one."""


def public_query(state: TurnState, now: datetime) -> str:
    """Return the planned query, or what of it may leave, or else the user's own words.

    Of a message that brings an image, a file or another message, the words that may leave; any
    other can be looked up as it is. "" if the query has nothing to do with the message, which may
    be private, too.
    """
    query, message = state["rag"].get("query", ""), words_of(state)
    judge = QueryJudge.of(state, now)
    private = judge.private_words(query)
    if not private:
        return query
    # An odd letter case could be a writing; to a search engine it is the same.
    plain = query.lower()
    if not judge.private_words(plain):
        return plain
    part = _free_part(plain, judge) if _brings_something(state) else ""
    if part:
        return part
    return message if private == "copied" or _is_about(query, message) else ""


def _brings_something(state: TurnState) -> bool:
    message = input_of(state)
    return bool(message.forwarded or message.reply or images_of(state) or names_of_files(state))


def _free_part(query: str, judge: QueryJudge) -> str:
    """The words of a query that may leave each and together, "" if there are none of those."""
    words = query.split()[:_MOST_WORDS]
    part = " ".join(word for word in words if not judge.private_words(word))
    return "" if judge.private_words(part) else part


def _is_about(query: str, message: str) -> bool:
    """Whether a query could say a message in other words: corrected, translated or in its own.

    It has a word of it, is nearly the same, is in another script, or has an everyday word of any
    language. Random letters are none of this.
    """
    if shares_word(query, message) or _scripts(query).isdisjoint(_scripts(message)):
        return True
    is_like = fuzz.ratio(query.casefold(), message.casefold()) >= _LIKE
    words = (word for word in query.split() if len(word) >= _LEAST_LETTERS)
    return is_like or any(map(FreeWords("").cover, words))


def _scripts(text: str) -> set[str]:
    return {script_of(letter) for letter in text if letter.isalpha()}
