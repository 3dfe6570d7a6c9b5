"""/why: how an answer came about, from the record of its decision."""

from dataclasses import dataclass
from typing import Any, get_args

from rich_agent.domain.answer import Decision
from rich_agent.domain.message import thread_of
from rich_agent.domain.text import shorten
from rich_agent.graph.state import NodeId
from rich_agent.phrases import say
from rich_agent.ports import Decisions
from rich_agent.telegram.commands.registry import Asked, CommandSpec, Reply
from rich_agent.telegram.delivery import Hold, Post
from rich_agent.telegram.inbound import Press
from rich_agent.telegram.presses import PressAnswer, argument_of
from rich_agent.telegram_api import RenderedMessage

WHY_VERB = "why1"
_LABEL_LENGTH = 120
_REASON_LENGTH = 600
_MOST_PASSAGES = 12
_STEPS: tuple[NodeId, ...] = get_args(NodeId)


@dataclass(frozen=True, slots=True)
class Why:
    """Explains the user's own answers, to them alone."""

    decisions: Decisions
    post: Post

    def commands(self) -> tuple[CommandSpec, ...]:
        """/why."""
        return (CommandSpec("why", self.answer),)

    def presses(self) -> dict[str, PressAnswer]:
        """The button under each answer."""
        return {WHY_VERB: self.press}

    async def answer(self, asked: Asked) -> Reply:
        """The last answer, or the one that /why replies to."""
        thread_id, replied = thread_of(asked.user_id), asked.command.reply_to
        if replied is None:
            decision = await self.decisions.latest(thread_id)
            return Reply.of(_explain(decision, asked.locale) if decision else _nothing(asked))
        update_id = await self.post.outbox.answered_by(asked.command.chat_id, replied)
        decision = await self.decisions.find(thread_id, f"tg:{update_id}") if update_id else None
        if decision is None:
            return Reply.of(say(asked.locale, "why-no-answer"))
        return Reply.of(_explain(decision, asked.locale))

    async def press(self, press: Press, locale: str, hold: Hold) -> str:
        """The explanation as a message of its own, hung on the answer."""
        thread_id = thread_of(press.user.telegram_user_id)
        decision = await self.decisions.find(thread_id, f"tg:{argument_of(press)}")
        if decision is None:
            return say(locale, "button-outdated")
        await hold()
        await self.post.limiter.take(press.chat_id)
        explanation = RenderedMessage(_explain(decision, locale))
        await self.post.api.send_message(press.chat_id, explanation, reply_to=press.message_id)
        return ""


def _nothing(asked: Asked) -> str:
    return say(asked.locale, "why-nothing")


def _explain(decision: Decision, locale: str) -> str:
    lines = [
        say(locale, "why-plan", plan=say(locale, f"plan-{decision.plan.replace('+', '-')}")),
        say(locale, "why-reason", reason=shorten(decision.reason, _REASON_LENGTH)),
        *_searches(decision, locale),
        _times(decision, locale),
    ]
    return "\n".join([say(locale, "why-heading"), "", *lines])


def _searches(decision: Decision, locale: str) -> list[str]:
    lines: list[str] = []
    if decision.query:
        lines.append(say(locale, "why-query", query=shorten(decision.query, _REASON_LENGTH)))
    lines.append(_web(decision, locale))
    if decision.plan != "direct":
        counts = {"read": decision.retrieved_count, "cited": decision.citations_count}
        lines.append(say(locale, "why-read", **counts))
    shown = decision.retrieved[:_MOST_PASSAGES]
    lines += [_passage(passage, locale) for passage in shown]
    if more := len(decision.retrieved) - len(shown):
        lines.append(say(locale, "and-more", count=more))
    return lines


def _web(decision: Decision, locale: str) -> str:
    node = decision.nodes.get("N8_web_search")
    if node is None:
        return say(locale, "why-web-not-searched")
    failed = "web_error" in node.get("rag", {})
    return say(locale, "why-web-failed" if failed else "why-web-searched")


def _passage(passage: dict[str, Any], locale: str) -> str:
    return say(
        locale,
        "why-passage-cited" if passage["cited"] else "why-passage",
        label=shorten(passage["label"], _LABEL_LENGTH),
        score=f"{passage['score']:.2f}",
    )


def _times(decision: Decision, locale: str) -> str:
    took = decision.latency_ms
    steps = [
        say(locale, f"step-{node}", seconds=f"{took[node] / 1000:.2f}")
        for node in _STEPS
        if node in took
    ]
    total = f"{sum(took.values()) / 1000:.2f}"
    return say(locale, "why-times", total=total, steps=", ".join(steps))
