"""Cards that wait for approval, for clients that render Markdown: a sentence, and verbatim text."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich_agent.domain.approving.cards import ApprovalCard, card_text, cards_in
from rich_agent.domain.tools import ToolCall
from rich_agent.web.link_guard import guard_links


def cards_asked(question: Mapping[str, Any]) -> tuple[ApprovalCard, ...]:
    """The cards of a run's event `question`, also of one from before there were any."""
    calls = (
        ToolCall(call["id"], call["name"], call["arguments"]) for call in question.get("calls", ())
    )
    return cards_in(question.get("cards", ()), calls) if question["approves"] else ()


def question_markdown(question: Mapping[str, Any], cards: Sequence[ApprovalCard]) -> str:
    """The question of an event with some of its cards, each in a block of code.

    Every line of a card begins with the mark of its kind, so none can end the block.
    """
    asked = question["question"]
    if question["approves"] and "cards" not in question:
        asked = asked.partition("\n")[0]
    blocks = (f"```text\n{card_text([card])}\n```" for card in cards)
    return "\n\n".join([guard_links(asked), *blocks])
