"""The query of a planned web search, without anything private that the bot keeps."""

from datetime import datetime

from rapidfuzz import fuzz

from rich_agent.domain.memory.merging import shares_word
from rich_agent.domain.outgoing.free_words import FreeWords
from rich_agent.domain.retrieval.search_terms import script_of
from rich_agent.graph.origins import QueryJudge, names_of_files
from rich_agent.graph.state import TurnState, input_of
from rich_agent.graph.views import images_of, words_of

_LIKE = 70
"""The similarity (of 100) of two texts that differ by typing errors only."""
_LEAST_LETTERS = 4
"""The letters of an everyday word: shorter ones occur by chance among random letters."""
_MOST_WORDS = 30
"""The most words of a query that are judged one by one."""


def public_query(state: TurnState, now: datetime) -> str:
    """The planned query, or its part that may leave, or else the user's own words.

    Only if the message brings an image, a file or another message, a part of the query is used. ""
    is returned if the query has nothing to do with the message: it may be private as well.
    """
    query, message = state["rag"].get("query", ""), words_of(state)
    judge = QueryJudge.of(state, now)
    privacy = judge.private_words(query)
    if not privacy:
        return query
    # An odd letter case could hide a message; a search engine does not care about it.
    lowercase_query = query.lower()
    if not judge.private_words(lowercase_query):
        return lowercase_query
    public_part = _free_part(lowercase_query, judge) if _brings_something(state) else ""
    if public_part:
        return public_part
    return message if privacy == "copied" or _is_about(query, message) else ""


def _brings_something(state: TurnState) -> bool:
    """Whether the message brings an image, a file or another message."""
    message = input_of(state)
    return bool(message.forwarded or message.reply or images_of(state) or names_of_files(state))


def _free_part(query: str, judge: QueryJudge) -> str:
    """The words of a query that may leave, each alone and all together; "" if there are none."""
    query_words = query.split()[:_MOST_WORDS]
    public_part = " ".join(word for word in query_words if not judge.private_words(word))
    return "" if judge.private_words(public_part) else public_part


def _is_about(query: str, message: str) -> bool:
    """Whether a query may say a message in other words: corrected, translated or rephrased.

    Signs are a shared word, near identity, another script, or an everyday word of any language.
    Random letters have none of these.
    """
    if shares_word(query, message) or _scripts(query).isdisjoint(_scripts(message)):
        return True
    is_like = fuzz.ratio(query.casefold(), message.casefold()) >= _LIKE
    words = (word for word in query.split() if len(word) >= _LEAST_LETTERS)
    return is_like or any(map(FreeWords("").cover, words))


def _scripts(text: str) -> set[str]:
    """The scripts of a text's letters."""
    return {script_of(letter) for letter in text if letter.isalpha()}
