"""Checks an answer against its passages; unsupported claims are rewritten, marked or refused."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.answer.answer import Answer
from rich_agent.domain.answer.grounding import Judged, judge
from rich_agent.domain.budget import fit_passages
from rich_agent.domain.retrieval.passage import are_of_files
from rich_agent.domain.retrieval.search_terms import terms_in
from rich_agent.domain.text import shorten
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.answer.material import Material
from rich_agent.graph.answer.writing import WriteTimeouts, write
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import locale_of, question_of
from rich_agent.phrases import say
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import ended_by

MOST_LOOKED_AT = 5
LOOK_S = 15.0
"""The longest that a second look may take; the user has read the answer, and waits for its end."""
LONGEST_WAIT_S = 60.0
"""Who has waited longer for an answer is not kept waiting for a second look."""
LOOK_TOKENS = 3_000
"""Of the passages that a second look reads."""
_MOST_SENTENCES = 20
_LABEL_CHARS = 120
_QUESTION_CHARS = 2_000
_MARKUP = re.compile(r"([\\`*_\[\]<>~|])")


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer as the model wrote it, its material, and how long the user waited."""

    text: str
    material: Material
    waited_s: float = 0.0

    def judge(self, text: str) -> Judged:
        """A wording of it held against what the model read."""
        return judge(text, self.material.passages, self.material.given)


@dataclass(frozen=True, slots=True)
class VerifiedAnswer:
    """The answer as the user gets it, and the result of the checks (JSON).

    `checks` has how many sentences were `doubted`, whether a model `looked` again, whether it was
    `repaired` or `refused`, and the sentences that are `unsupported`; it is empty for an answer
    that needs no grounds.
    """

    answer: Answer
    checks: dict[str, Any] = field(default_factory=dict)


async def verify(
    draft: WrittenAnswer, state: TurnState, services: Services
) -> VerifiedAnswer | None:
    """The answer with its citations; None when the user stopped it meanwhile.

    Of sentences that are doubtful by their names, numbers or markers, the planner's model says
    which are unsupported. These, and an answer that cites nothing, are repaired by one more call.
    What still cites nothing, or of what nothing is supported, is refused where documents were to be
    answered from, and marked where it was the web; other unsupported sentences are named below.
    """
    judged = await asyncio.to_thread(draft.judge, draft.text)
    doubted, looked = len(judged.doubtful), False
    if doubted and (second := await _look_again(draft, judged, state, services)):
        judged, looked = second, True
    is_faultless = judged.is_grounded and not judged.unsupported
    repaired = None if is_faultless else await _repair(draft, judged, state, services)
    if services.stop.is_set():
        return None
    is_unfounded = 0 < len(judged.unsupported) == len(judged.sentences)
    is_empty = is_unfounded and repaired is not None and repaired.says_nothing
    if repaired and _is_better(repaired, judged):
        judged = repaired
    has_grounds = judged.is_grounded and not is_empty
    refused = not judged.cited.text or (not has_grounds and state["routing"]["plan"] != "web")
    unsupported = [] if refused else [sentence.text for sentence in judged.unsupported]
    checks = {
        "doubted": doubted,
        "looked": looked,
        "repaired": judged is repaired,
        "refused": refused,
        "unsupported": unsupported,
    }
    if refused:
        services.notes.count("answers_refused")
        return VerifiedAnswer(Answer(_refusal(draft, state)), checks)
    text = _with_unsupported(judged.cited.text, unsupported, locale_of(state))
    return VerifiedAnswer(Answer(text, judged.cited.citations), checks)


async def _look_again(
    draft: WrittenAnswer, judged: Judged, state: TurnState, services: Services
) -> Judged | None:
    """What the planner's model says of the doubtful sentences; None where it is not asked.

    It reads the cited passages first, then those with the most words of the sentences.
    """
    if draft.waited_s > LONGEST_WAIT_S:
        return None
    sentences = [sentence.text for sentence in judged.doubtful[:_MOST_SENTENCES]]
    cited, wanted = {c.id for c in judged.cited.citations}, terms_in(" ".join(sentences))
    nearest = sorted(
        draft.material.passages,
        key=lambda p: (p.id not in cited, -len(terms_in(p.content) & wanted)),
    )
    prompt = render_prompt(
        "N6_check",
        passages=fit_passages(nearest, LOOK_TOKENS, services.count_tokens),
        question=shorten(question_of(state), _QUESTION_CHARS),
        sentences=sentences,
    )
    try:
        async with asyncio.timeout(LOOK_S), ended_by(services.stop):
            return judged.with_opinion(await services.chooser.check(prompt))
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        services.notes.survive("second_look_failed", error)
    return None


def _is_better(repaired: Judged, judged: Judged) -> bool:
    """Whether to take it: an answer that cites is not given up for one that says nothing."""
    if not judged.is_grounded:
        return repaired.is_grounded
    keeps_citing = bool(repaired.cited.citations) or not judged.cited.citations
    return keeps_citing and len(repaired.unsupported) < len(judged.unsupported)


async def _repair(
    draft: WrittenAnswer, judged: Judged, state: TurnState, services: Services
) -> Judged | None:
    """The same answer with markers, as the model writes it when shown what is missing.

    It is not shown while it grows: the user would see the answer vanish and come again.
    """
    prompt = render_prompt(
        "N6_repair",
        unsupported=[sentence.text for sentence in judged.unsupported],
        passages=draft.material.passages,
        question=shorten(question_of(state), _QUESTION_CHARS),
        answer=draft.text,
    )
    services.notes.count("answers_repaired")
    patience = WriteTimeouts(services.limits.model_budget_s, services.limits.answer_s)
    try:
        repaired = await write(prompt, services, patience)
    except (UpstreamError, DailyLimitError) as error:
        services.notes.survive("answer_not_repaired", error)
        return None
    if repaired.early_end or not repaired.text.strip():
        return None
    return draft.judge(repaired.text).as_repair_of(judged)


def _refusal(draft: WrittenAnswer, state: TurnState) -> str:
    """That nothing found answers the question, and what was read in search of it."""
    locale, plan = locale_of(state), state["routing"]["plan"]
    passages = [p for p in draft.material.passages if p.kind != "catalogue"]
    labels = dict.fromkeys(shorten(p.label, _LABEL_CHARS) for p in passages)
    read = [_MARKUP.sub(r"\\\1", label) for label in list(labels)[:MOST_LOOKED_AT]]
    sources = "files" if are_of_files(passages) else plan.replace("+", "-")
    heading = say(locale, f"refused-{sources}")
    return "\n".join([heading, "", *(f"- {label}" for label in read)])


def _with_unsupported(text: str, unsupported: Sequence[str], locale: str) -> str:
    if not unsupported:
        return text
    quoted = (shorten(_MARKUP.sub("", sentence), _LABEL_CHARS) for sentence in unsupported)
    return f"{text}\n\n_{say(locale, 'unsupported', claims=' · '.join(quoted))}_"
