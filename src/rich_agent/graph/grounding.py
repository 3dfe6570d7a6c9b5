"""Holds a written answer against its passages, and lets nothing pass as found that is not."""

import re
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.answer import Answer
from rich_agent.domain.grounding import Judged, judge
from rich_agent.domain.text import shorten
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.material import Material
from rich_agent.graph.services import Services
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import locale_of, question_of
from rich_agent.graph.writing import Patience, write
from rich_agent.phrases import say
from rich_agent.prompts import render_prompt

MOST_LOOKED_AT = 5
_LABEL_CHARS = 120
_QUESTION_CHARS = 2_000
_MARKUP = re.compile(r"([\\`*_\[\]<>~|])")


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as the model wrote it, and what it was written from."""

    text: str
    material: Material

    def judge(self, text: str) -> Judged:
        """A wording of it held against what the model read."""
        prompt = self.material.prompt
        said = [message for _, message in prompt.history]
        given = "\n".join([prompt.system, prompt.user, *said])
        return judge(text, self.material.passages, given)


@dataclass(frozen=True, slots=True)
class Grounded:
    """The answer as the user gets it, and what the checks made of it (JSON).

    `checks` has `repaired`, `refused`, and the numbers that are `unsupported`; it is empty for an
    answer that needs no grounds.
    """

    answer: Answer
    checks: dict[str, Any] = field(default_factory=dict)

    @property
    def refused(self) -> bool:
        """Whether the model's answer was not shown."""
        return bool(self.checks.get("refused"))


async def ground(draft: Draft, state: TurnState, services: Services) -> Grounded | None:
    """The answer with its citations; None when the user stopped it meanwhile.

    One that cites nothing, or gives numbers that the model did not read anywhere, is repaired by
    one more call. What still cites nothing is refused where documents were to be answered from,
    and marked where it was the web; numbers that are still found nowhere are named below it.
    """
    judged = draft.judge(draft.text)
    repaired = None if judged.is_faultless else await _repair(draft, judged, state, services)
    if services.stop.is_set():
        return None
    if repaired and _is_better(repaired, judged):
        judged = repaired
    plan = state["routing"]["plan"]
    refused = not judged.cited.text or (not judged.is_grounded and plan != "web")
    if refused:
        services.notes.count("answers_refused")
    text = _refusal(draft, state) if refused else _with_doubts(judged, locale_of(state))
    return Grounded(
        Answer(text, () if refused else judged.cited.citations),
        {
            "repaired": judged is repaired,
            "refused": refused,
            "unsupported": [] if refused else list(judged.unsupported),
        },
    )


def _is_better(repaired: Judged, judged: Judged) -> bool:
    """Whether to take it: an answer that cites is not given up for one that says nothing."""
    if not judged.is_grounded:
        return repaired.is_grounded
    keeps_citing = bool(repaired.cited.citations) or not judged.cited.citations
    return keeps_citing and len(repaired.unsupported) < len(judged.unsupported)


async def _repair(
    draft: Draft, judged: Judged, state: TurnState, services: Services
) -> Judged | None:
    """The same answer with markers, as the model writes it when shown what is missing.

    It is not shown while it grows: the user would see the answer vanish and come again.
    """
    passages = [p for p in draft.material.passages if p.kind != "photo"]
    shown = [p.content for p in draft.material.passages if p.kind == "photo"]
    prompt = render_prompt(
        "N6_repair",
        unsupported=judged.unsupported if judged.is_grounded else (),
        image_summary="".join(shown),
        image_number=len(passages) + 1,
        passages=passages,
        question=shorten(question_of(state), _QUESTION_CHARS),
        answer=draft.text,
    )
    services.notes.count("answers_repaired")
    patience = Patience(services.limits.model_budget_s, services.limits.model_budget_s)
    try:
        repaired = await write(prompt, services, patience)
    except (UpstreamError, DailyLimitError) as error:
        services.notes.survive("answer_not_repaired", error)
        return None
    return draft.judge(repaired.text) if repaired.text.strip() else None


def _refusal(draft: Draft, state: TurnState) -> str:
    """That nothing found answers the question, and what was read in search of it."""
    locale, plan = locale_of(state), state["routing"]["plan"]
    passages = [p for p in draft.material.passages if p.kind != "catalogue"]
    labels = dict.fromkeys(shorten(p.label, _LABEL_CHARS) for p in passages)
    read = [_MARKUP.sub(r"\\\1", label) for label in list(labels)[:MOST_LOOKED_AT]]
    heading = say(locale, f"refused-{plan.replace('+', '-')}")
    return "\n".join([heading, "", *(f"- {label}" for label in read)])


def _with_doubts(judged: Judged, locale: str) -> str:
    if not judged.unsupported:
        return judged.cited.text
    doubt = say(locale, "unsupported-numbers", numbers=" · ".join(judged.unsupported))
    return f"{judged.cited.text}\n\n_{doubt}_"
