"""Continues the prompt of an answer by the answer itself and a request about it.

A server that has read the prompt reads only what follows. In a window that is too small for all of
it, the oldest messages are left out first, then the contents of passages: those that share the
fewest words with the answer.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from rich_agent.domain.budget import fit_text, leave_out
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.text import MESSAGE_TOKENS, TokenCounter
from rich_agent.graph.answer.material import Material
from rich_agent.ports.models import Prompt
from rich_agent.prompts import disarm

_ANSWER_SHARE = 0.5
"""The part of the tokens that the answer may take."""


@dataclass(frozen=True, slots=True)
class Continuation:
    """A prompt that continues an answer's, with its tokens.

    `passage_numbers` are the numbers of the passages that it still holds.
    """

    prompt: Prompt
    passage_numbers: frozenset[int]
    tokens: int


@dataclass(frozen=True, slots=True)
class ContinuationLimit:
    """The most tokens of a continuation, and the passages that are left out last."""

    tokens: int
    count: TokenCounter
    cited_ids: Collection[str] = ()


def continue_answer(
    material: Material, answer: str, request: str, limit: ContinuationLimit
) -> Continuation:
    """The prompt of the answer, the answer, and the request, within the limit if possible.

    The answer is disarmed: it may repeat special tokens from material.
    """
    text = fit_text(disarm(answer), round(limit.tokens * _ANSWER_SHARE), limit.count)
    prompt = material.prompt.with_follow_up(text, request)
    excess_tokens = _tokens_of(prompt, limit.count) - limit.tokens
    history = list(prompt.history)
    while history and excess_tokens > 0:
        excess_tokens -= limit.count(history.pop(0)[1]) + MESSAGE_TOKENS
    prompt = replace(prompt, history=tuple(history))
    all_numbers = frozenset(range(1, len(material.passages) + 1))
    if excess_tokens <= 0:
        return Continuation(prompt, all_numbers, limit.tokens + excess_tokens)
    left_out = _passages_to_leave_out(
        material.prompt_passages, excess_tokens, limit, _relevance_to(answer)
    )
    shorter_prompt = material.render(
        [
            replace(passage, content="") if number in left_out else passage
            for number, passage in enumerate(material.prompt_passages, 1)
        ]
    )
    prompt = replace(prompt, system=shorter_prompt.system, user=shorter_prompt.user)
    return Continuation(prompt, all_numbers - left_out, _tokens_of(prompt, limit.count))


def _tokens_of(prompt: Prompt, count: TokenCounter) -> int:
    return sum(count(text) + MESSAGE_TOKENS for text in prompt.texts())


def _relevance_to(answer: str) -> Callable[[Passage], int]:
    """The number of words that a passage shares with the answer."""
    languages = languages_in(answer)
    answer_terms = terms_in(answer, languages)
    return lambda passage: len(terms_in(passage.content, languages) & answer_terms)


def _passages_to_leave_out(
    passages: Sequence[Passage],
    excess_tokens: int,
    limit: ContinuationLimit,
    relevance: Callable[[Passage], int],
) -> frozenset[int]:
    """The numbers of the passages that free these tokens.

    The least relevant are left out first, of two alike the later one, and cited ones last.
    """

    def rank(number: int) -> tuple[bool, int]:
        passage = passages[number - 1]
        return passage.id not in limit.cited_ids, -relevance(passage)

    numbers = sorted(range(1, len(passages) + 1), key=rank)
    remaining_numbers = leave_out(
        numbers, numbers, excess_tokens, lambda number: limit.count(passages[number - 1].content)
    )
    return frozenset(numbers).difference(remaining_numbers)
