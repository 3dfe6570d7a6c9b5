"""Continues an answer that reached the token limit: builds the prompt, and joins the parts."""

from dataclasses import dataclass, replace

from rich_agent.domain.text import estimate_tokens
from rich_agent.ports.models import Prompt
from rich_agent.prompts import render_prompt

_ANCHOR_CHARS = 80
_LOOK_CHARS = 400
"""Characters of a continuation that are examined before any of it is passed on."""
_LEAST_REPEATED = 12
"""Fewer equal characters at the joint may be chance: "ha" may continue with "ha"."""


def ask_to_continue(prompt: Prompt, said: str) -> Prompt:
    """The prompt with the answer so far and the request to continue.

    The oldest messages are dropped in exchange, so that it is no longer than before if possible.
    """
    wish = render_prompt("N6_continue", last_words=last_words(said)).user
    added = estimate_tokens(said) + estimate_tokens(wish)
    history = list(prompt.history)
    while history and added > 0:
        added -= estimate_tokens(history.pop(0)[1])
    return replace(
        prompt, user=wish, history=(*history, ("user", prompt.user), ("assistant", said))
    )


def last_words(said: str) -> str:
    """The end of a text; it begins with a whole word if the text has spaces."""
    end = said[-_ANCHOR_CHARS:]
    head, space, words = end.partition(" ")
    return words if space and len(head) < _ANCHOR_CHARS // 2 and words.strip() else end


@dataclass(slots=True)
class ContinuationJoin:
    """Passes on the new part of a continuation, without what it repeats.

    A model may continue with the next character, repeat the last words (as it is asked to, so that
    spaces and halves of words are clear), or begin the whole answer again. `is_lost`: it began
    again with other words, so the parts cannot be joined.
    """

    said: str
    is_lost: bool = False
    _held: str = ""
    _is_joined: bool = False
    _has_begun_again: bool = False

    def feed(self, piece: str) -> str:
        """The new text in the piece and in what was held back."""
        if self.is_lost:
            return ""
        if self._is_joined or not self.said:
            return piece
        self._held += piece
        if self._begins_again():
            return self._behind_the_old() if len(self._held) >= len(self.said) else ""
        return self._join() if len(self._held) >= _LOOK_CHARS else ""

    def finish(self) -> str:
        """The rest."""
        if self._is_joined or not self._held:
            return ""
        return self._behind_the_old() if self._begins_again() else self._join()

    def _begins_again(self) -> bool:
        start = self._held[:_LOOK_CHARS]
        compared = min(len(start), len(self.said))
        begins = compared >= _ANCHOR_CHARS and self.said[:compared] == start[:compared]
        self._has_begun_again = self._has_begun_again or begins
        return begins

    def _behind_the_old(self) -> str:
        self._is_joined = True
        self.is_lost = not self._held.startswith(self.said)
        return "" if self.is_lost else self._held[len(self.said) :]

    def _join(self) -> str:
        self._is_joined = True
        anchor = last_words(self.said)
        at = self._held[: 2 * _LOOK_CHARS].find(anchor) if len(anchor) >= _LEAST_REPEATED else -1
        if at >= 0:
            return self._held[at + len(anchor) :]
        start = self._held.lstrip(" \n….\"'«»“”`")
        for length in range(min(len(start), len(self.said), _LOOK_CHARS), _LEAST_REPEATED - 1, -1):
            if self.said.endswith(start[:length]):
                return start[length:]
        self.is_lost = self._has_begun_again
        return "" if self.is_lost else self._held
