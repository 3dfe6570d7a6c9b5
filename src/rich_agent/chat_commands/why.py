"""/why: explains how an answer came about, from its recorded decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from rich_agent.chat_commands.replies import (
    CommandRequest,
    Handlers,
    PressReply,
    PressRequest,
    Reply,
)
from rich_agent.domain.answer.citation import Decision
from rich_agent.domain.answer.trace import (
    CALLS_PLANNED,
    CHECK_LEFT_OUT,
    EARLIER_TURN,
    LOOK_LEFT_OUT,
    NodeId,
    NodeReport,
    models_in,
    turn_calls,
)
from rich_agent.domain.memory.items import MemoryItem, mark_of, words_of_item
from rich_agent.domain.message import thread_of
from rich_agent.domain.retrieval.passage import PassageKind
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import PastTurn
from rich_agent.domain.text import shorten
from rich_agent.phrases import say
from rich_agent.ports.bot_api import RenderedMessage
from rich_agent.ports.memories import Memories
from rich_agent.ports.spaces import Spaces
from rich_agent.ports.turns import Archive, Decisions
from rich_agent.rendering.notices import folded, section, together

WHY_VERB = "why1"
_LABEL_LENGTH = 120
_REASON_LENGTH = 600
_MOST_PASSAGES = 8
_STEPS: tuple[NodeId, ...] = get_args(NodeId)
_TOLD_FAILURES = (
    "planner_failed",
    "embedding_failed",
    "rerank_failed",
    "further_search_failed",
    "second_look_failed",
)
_CHECKED = ("judged", "unjudged", "unsampled", "doubted", "unsupported", "contradicted")
_LEFT_OUT = (LOOK_LEFT_OUT, CHECK_LEFT_OUT)
_SHORTEST_MS = 5.0
"""Steps that would be shown as 0.00 s are left out."""

Reports = Mapping[str, NodeReport]


@dataclass(frozen=True, slots=True)
class Recollection:
    """The stored words of a user that were in the prompt, without those deleted since."""

    memories: Sequence[MemoryItem] = ()
    turns: Sequence[PastTurn] = ()


NOTHING_RECALLED = Recollection()


async def recollect(
    decision: Decision, user_id: int, memories: Memories, archive: Archive
) -> Recollection:
    """Look up the items that the decision names; forgotten items are left out."""
    reports = map(NodeReport.from_json, decision.nodes.values())
    recalled_names = list(dict.fromkeys(name for report in reports for name in report.recalled))
    turns = [
        name.removeprefix(EARLIER_TURN) for name in recalled_names if name.startswith(EARLIER_TURN)
    ]
    if not recalled_names:
        return NOTHING_RECALLED
    items_by_mark = {mark_of(kind, item): item for kind, item in await memories.load(user_id)}
    return Recollection(
        [items_by_mark[name] for name in recalled_names if name in items_by_mark],
        await archive.turns(user_id, turns),
    )


@dataclass(frozen=True, slots=True)
class Why:
    """Explains to users their own answers."""

    decisions: Decisions
    spaces: Spaces
    memories: Memories
    archive: Archive

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"why": self.answer}, {WHY_VERB: self.press})

    async def answer(self, request: CommandRequest) -> Reply:
        """Explain the last answer, or the one that /why replies to."""
        message_id = request.replies_to
        if message_id is None:
            decision = await self.decisions.latest(request.thread_id)
        else:
            decision = await self.decisions.find(thread_of(request.user_id), message_id)
        if decision is None:
            missing = "why-nothing" if message_id is None else "why-no-answer"
            return Reply.of(say(request.locale, missing))
        return Reply(await self._explain(decision, request.user_id, request.locale))

    async def press(self, press: PressRequest) -> PressReply:
        """Send the explanation as a reply to the answer."""
        thread_id = thread_of(press.user_id)
        decision = await self.decisions.find(thread_id, f"tg:{press.argument}")
        if decision is None:
            return PressReply(say(press.locale, "button-outdated"))
        return PressReply(below=await self._explain(decision, press.user_id, press.locale))

    async def _explain(self, decision: Decision, user_id: int, locale: str) -> RenderedMessage:
        recollection = await recollect(decision, user_id, self.memories, self.archive)
        return await explain_to(Reader(user_id), decision, self.spaces, locale, recollection)


async def explain_to(
    reader: Reader,
    decision: Decision,
    spaces: Spaces,
    locale: str,
    recollection: Recollection = NOTHING_RECALLED,
) -> RenderedMessage:
    """Explain an answer, without documents that the reader may not read any more."""
    if decision.guards:
        decision = decision.open_with(await spaces.open_of(reader, decision.guards))
    return explain(decision, locale, recollection)


def explain(
    decision: Decision, locale: str, recollection: Recollection = NOTHING_RECALLED
) -> RenderedMessage:
    """Explain the steps of an answer and their reasons, with the details in a folded block."""
    report_by_node = {node: NodeReport.from_json(lines) for node, lines in decision.nodes.items()}
    lines = [_summary(decision, report_by_node, locale)]
    if decision.reason.strip():
        reason = shorten(decision.reason.strip(), _REASON_LENGTH)
        lines.append(say(locale, "why-reason", reason=reason))
    details = [
        *_searches(decision, report_by_node, locale),
        *_photo_lines(report_by_node, locale),
        *_memory_lines(report_by_node, recollection, locale),
        *_permission_lines(report_by_node, locale),
        *_plan_lines(report_by_node, locale),
        *_check_lines(report_by_node, locale),
        *_left_out_lines(report_by_node, locale),
        *_failure_lines(report_by_node, locale),
        *_models(report_by_node, locale),
        *_calls(report_by_node, locale),
        _times(decision, locale),
        say(locale, "why-reference", request_id=decision.request_id),
    ]
    return together(section(say(locale, "why-heading"), *lines), folded(*details))


def _summary(decision: Decision, reports: Reports, locale: str) -> str:
    """One sentence: the sources that were read, and the number that the answer cites."""
    searching = reports.get("N8_web_search")
    has_failed = searching is not None and "rag.web_error" in searching.output
    # Photos, files and results of tools were read too, but not searched for.
    passages = [one for one in decision.retrieved if one["kind"] in {"document", "web"}]
    return say(
        locale,
        "why-web-failed" if has_failed else f"why-done-{decision.plan.replace('+', '-')}",
        read=len(passages),
        cited=sum(passage["cited"] for passage in passages),
    )


def _photo_lines(reports: Reports, locale: str) -> list[str]:
    looking = reports.get("N3_vision_summarize")
    lines: list[str] = []
    if looking is not None:
        # Does not say whether the image was known already: another user may have sent it.
        lines.append(say(locale, "why-photo"))
    if any(report.output.get("vision.answers") for report in reports.values()):
        lines.append(say(locale, "why-photo-asked"))
    return lines


def _memory_lines(reports: Reports, recollection: Recollection, locale: str) -> list[str]:
    output = reports.get("N2_load_long_term_memory", NodeReport()).output
    lines: list[str] = []
    if entry_count := int(output.get("memory.long_term_entries", 0)):
        lines.append(say(locale, "why-memory", count=entry_count))
        labels = [shorten(words_of_item(item), _LABEL_LENGTH) for item in recollection.memories]
        lines += [say(locale, "why-recalled", text=text) for text in labels]
        if labels and entry_count > len(labels):
            lines.append(say(locale, "and-more", count=entry_count - len(labels)))
    if output.get("memory.conversation_summary"):
        lines.append(say(locale, "why-summary"))
    if recollection.turns:
        lines.append(say(locale, "why-past"))
        lines += [_earlier(turn, locale) for turn in recollection.turns]
    return lines


def _earlier(turn: PastTurn, locale: str) -> str:
    text = shorten(" ".join((turn.question or turn.answer).split()), _LABEL_LENGTH)
    return say(locale, "why-past-turn", date=f"{turn.asked_at:%Y-%m-%d}", text=text)


def _searches(decision: Decision, reports: Reports, locale: str) -> list[str]:
    lines: list[str] = []
    if decision.query:
        first_queries, further_queries = decision.rounds
        lines.append(say(locale, "looked-for", query=_join(first_queries)))
        lines += (
            [say(locale, "why-further-queries", query=_join(further_queries))]
            if further_queries
            else []
        )
    if "N5_retrieve" in reports:
        lines += _read(decision, "document", locale)
    if "N8_web_search" in reports:
        lines += _read(decision, "web", locale)
    return lines


def _join(queries: Sequence[str]) -> str:
    return shorten(" · ".join(queries), _REASON_LENGTH)


def _read(decision: Decision, kind: PassageKind, locale: str) -> list[str]:
    """The passages of a kind that were read: cited ones first, then by score."""
    passages = [passage for passage in decision.retrieved if passage["kind"] == kind]
    passages.sort(key=lambda passage: (not passage["cited"], -passage["score"]))
    top = passages[:_MOST_PASSAGES]
    lines = [say(locale, f"why-read-{kind}", read=len(passages))]
    lines += [_passage(passage, locale) for passage in top]
    if more := len(passages) - len(top):
        lines.append(say(locale, "and-more", count=more))
    return lines


def _passage(passage: Mapping[str, Any], locale: str) -> str:
    return say(
        locale,
        "why-passage-cited" if passage["cited"] else "why-passage",
        label=shorten(passage["label"], _LABEL_LENGTH),
        score=f"{passage['score']:.2f}",
    )


def _plan_lines(reports: Reports, locale: str) -> list[str]:
    """The number of actions planned from the user's words alone, [] without any."""
    count = reports.get("N7_persist", NodeReport()).counts.get(CALLS_PLANNED, 0)
    return [say(locale, "why-planned", count=count)] if count else []


def _check_lines(reports: Reports, locale: str) -> list[str]:
    """The findings of the check of the answer against its passages, [] if there are none."""
    report = reports.get("N6_synthesize", NodeReport())
    if report.counts.get("answers_refused"):
        return [say(locale, "why-refused")]
    count_by_finding = {
        finding: int(report.output.get(f"answer.debug.{finding}", 0)) for finding in _CHECKED
    }
    lines = [
        say(locale, f"why-{finding}", count=count)
        for finding, count in count_by_finding.items()
        if count
    ]
    return [*lines, say(locale, "why-repaired")] if report.counts.get("answers_repaired") else lines


def _left_out_lines(reports: Reports, locale: str) -> list[str]:
    """The calls that were left out because the model's server is slow."""
    names = {name for report in reports.values() for name in report.counts}
    return [say(locale, f"why-{name.replace('_', '-')}") for name in _LEFT_OUT if name in names]


def _permission_lines(reports: Reports, locale: str) -> list[str]:
    """That calls ran unasked because the user permitted them for good, [] if none did."""
    count = int(reports.get("N12_act", NodeReport()).output.get("acting.permitted", 0))
    return [say(locale, "why-permitted", count=count)] if count else []


def _failure_lines(reports: Reports, locale: str) -> list[str]:
    """Failures that were worked around, if they made a difference to the answer."""
    failures = {event for report in reports.values() for event in report.survived}
    return [say(locale, f"why-{event}") for event in _TOLD_FAILURES if event in failures]


def _models(reports: Reports, locale: str) -> list[str]:
    models = models_in(reports.values())
    return [say(locale, "why-models", models=", ".join(models))] if models else []


def _calls(reports: Reports, locale: str) -> list[str]:
    """The number of calls and the tokens that they read, [] if no model was called."""
    sums = turn_calls(reports.values())
    if not sums.calls:
        return []
    tokens = {"read": sums.input_tokens, "cached": sums.cached_tokens}
    return [say(locale, "why-calls", calls=sums.calls, before=sums.before_answer, **tokens)]


def _times(decision: Decision, locale: str) -> str:
    ms_by_node = decision.latency_ms
    steps = [
        say(locale, f"step-{node}", seconds=f"{ms_by_node[node] / 1000:.2f}")
        for node in _STEPS
        if ms_by_node.get(node, 0.0) >= _SHORTEST_MS
    ]
    total_seconds_text = f"{sum(ms_by_node.values()) / 1000:.2f}"
    return say(locale, "why-times", total=total_seconds_text, steps=", ".join(steps) or "blank")
