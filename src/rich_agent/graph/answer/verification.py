"""Has every sentence of an answer judged by its passages, and corrects the markers from that.

What no passage says, or one denies, is rewritten, told or refused; what was not checked is shown,
and said to be. Nothing is refused without an opinion.
"""

import asyncio
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich_agent.domain.answer.citation import Answer, resolve_citations
from rich_agent.domain.answer.comparison import judge
from rich_agent.domain.answer.computation import uncomputed_claims
from rich_agent.domain.answer.grounding import MOST_ASKED, Judged, Sentence, says_nothing
from rich_agent.domain.budget import fit_history, fit_passages
from rich_agent.domain.retrieval.passage import Passage, are_of_files
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.routing.plan import Plan
from rich_agent.domain.text import shorten
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.acting.offering import files_with_tables
from rich_agent.graph.answer.material import Material, fit_slots
from rich_agent.graph.answer.writing import WriteTimeouts, write
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import conversation_slots, history_of, locale_of, question_of
from rich_agent.phrases import say
from rich_agent.ports.models import Prompt
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import end_on

MOST_LOOKED_AT = 5
MOST_NAMED = 5
"""Sentences without grounds that stand below an answer; /why has all of them."""
LONGEST_WAIT_S = 60.0
"""Who has waited longer for a cited answer is not kept waiting for its check."""
ASKED_TIMES = 2
"""The sentences that an opinion leaves out are asked about once more."""
CHECK_TOKENS = 3_000
"""Of the passages that a check reads."""
_HISTORY_TOKENS = 800
_ENTRY_CHARS = 600
_CONVERSATION = ("preferences", "memory", "conversation_summary", "reply_to", "forwarded")
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
        return judge(text, self.material.passages, self.material.source_text)


@dataclass(frozen=True, slots=True)
class VerifiedAnswer:
    """The answer as the user gets it, and the result of the checks (JSON).

    `checks` has how many sentences were `doubted` by signs and how many were `asked` about, whether
    a model `looked`, whether the answer was `repaired` or `refused`, and the sentences that are
    `unsupported`, `contradicted`, `uncomputed` or, though they should be judged, `unjudged`; how
    many are `judged`, and how many `unsampled`. It is empty for an answer that needs no grounds.
    `found_nothing` when the answer says that it lacks what was asked for, or when no result of the
    web supports it.
    """

    answer: Answer
    checks: dict[str, Any] = field(default_factory=dict)
    found_nothing: bool = False


def without_verification(whole: WrittenAnswer, plan: Plan) -> VerifiedAnswer:
    """An answer that needs no grounds, with what it cites all the same."""
    resolution = resolve_citations(whole.text.strip(), whole.material.passages)
    lacks = says_nothing(whole.text) and plan != "direct" and not resolution.citations
    return VerifiedAnswer(Answer(resolution.text, resolution.citations), found_nothing=lacks)


async def verify(
    draft: WrittenAnswer,
    state: TurnState,
    context: NodeContext,
    show: Callable[[VerifiedAnswer], None],
) -> VerifiedAnswer | None:
    """The answer with its citations; None when the user stopped it meanwhile.

    Of each sentence that is no quotation, the planner's model says which passages say so, or deny
    it, and the markers are corrected from that; in answers that are not sampled, and where nobody
    may wait, only of doubtful ones. Code compares the numbers, with and without it. `show` gets
    what signs find faultless before that. What is unsupported or contradicted, and an answer that
    still cites nothing, is repaired by one more call. An answer of which nothing is supported is
    refused where documents were to be answered from, and marked where it was the web; other such
    sentences are named below, as is what should be judged and was not.
    """
    first = await asyncio.to_thread(draft.judge, draft.text)
    of_all = random.random() < context.services.limits.checked_share  # noqa: S311 - a sample
    doubts, claims = len(first.doubtful), len(first.to_ask(of_all=of_all))
    is_plain = bool(claims) and first.is_grounded and not doubts
    if is_plain and await _has_right_numbers(first):
        show(_conclude(draft, first, state, {}, has_grounds=True))
    judgement = await _check(draft, first, state, context, of_all=of_all)
    checks: dict[str, Any] = {"doubted": doubts, "asked": claims, "looked": bool(judgement.settled)}
    is_faultless = judgement.is_grounded and not judgement.unsupported
    again = of_all and checks["looked"]
    repair = None if is_faultless else await _repair(draft, judgement, state, context, again=again)
    if context.turn.stop.is_set():
        return None
    is_unfounded = 0 < len(judgement.unsupported) == len(judgement.sentences)
    is_empty = is_unfounded and bool(repair and repair.says_nothing)
    if repair and _is_better(repair, judgement):
        judgement = repair
    has_grounds = judgement.is_grounded and not is_empty
    checks |= {"repaired": judgement is repair, **judgement.states(of_all=of_all)}
    checks["uncomputed"] = await _uncomputed_texts(judgement, state, context)
    answer = _conclude(draft, judgement, state, checks, has_grounds=has_grounds)
    if answer.checks["refused"]:
        context.run.notes.count("answers_refused")
    return answer


async def _has_right_numbers(judgement: Judged) -> bool:
    return not (await asyncio.to_thread(judgement.with_numbers)).unsupported


def _conclude(
    draft: WrittenAnswer,
    judgement: Judged,
    state: TurnState,
    checks: dict[str, Any],
    *,
    has_grounds: bool,
) -> VerifiedAnswer:
    """Conclude an answer: return it, with what it lacks below it, or a refusal."""
    is_denied = bool(judgement.unsupported) and not judgement.contradicted
    can_be_refused = is_denied and state["routing"]["plan"] != "web"
    is_refusal = not judgement.cited.text or (not has_grounds and can_be_refused)
    objections = [] if is_refusal else [sentence.text for sentence in judgement.unsupported]
    contradictions = {
        text: judgement.contradicted[text] for text in objections if text in judgement.contradicted
    }
    checks = {
        "unjudged": [],
        "uncomputed": [],
        **checks,
        "refused": is_refusal,
        "unsupported": [text for text in objections if text not in contradictions],
        "contradicted": list(contradictions),
    }
    if is_refusal:
        checks |= {"unjudged": [], "uncomputed": []}
        return VerifiedAnswer(Answer(_refusal(draft, state)), checks)
    if not has_grounds and not objections:
        return VerifiedAnswer(_answer_without_check(judgement, draft, state), checks)
    text = _with_notes(judgement.corrected, checks, contradictions, locale_of(state))
    resolution = resolve_citations(text, draft.material.passages)
    is_unfounded = not has_grounds and state["routing"]["plan"] == "web"
    lacks = judgement.says_nothing or is_unfounded
    return VerifiedAnswer(Answer(resolution.text, resolution.citations), checks, lacks)


async def _uncomputed_texts(judgement: Judged, state: TurnState, context: NodeContext) -> list[str]:
    """The claims about tables of files that were read in part, with numbers that none computed."""
    partly = {one["id"] for one in state.get("files", {}).get("used", ()) if one["how"] != "whole"}
    if not partly:
        return []
    files = await files_with_tables(state, context.services)
    file_ids = [file.id for file in files if file.id in partly]
    claims = await asyncio.to_thread(uncomputed_claims, judgement, file_ids, question_of(state))
    return [claim.text for claim in claims]


def _nearest(
    passages: Sequence[Passage], judgement: Judged, sentence_text: str
) -> list[tuple[int, Passage]]:
    """The passages with their numbers: the cited ones first, then by the words that they share."""
    cited_ids, languages = {c.id for c in judgement.cited.citations}, languages_in(sentence_text)
    sentence_terms = terms_in(sentence_text, languages)
    return sorted(
        enumerate(passages, 1),
        key=lambda one: (
            one[1].id not in cited_ids,
            -len(terms_in(one[1].content, languages) & sentence_terms),
        ),
    )


async def _check(
    draft: WrittenAnswer, judgement: Judged, state: TurnState, context: NodeContext, *, of_all: bool
) -> Judged:
    """With what the planner's model says of the sentences, and of the others their numbers.

    It reads the cited passages first, then those with the most words of the sentences.
    """
    if judgement.is_grounded and draft.waited_s > LONGEST_WAIT_S:
        return await asyncio.to_thread(judgement.with_numbers)
    check_s = context.services.limits.check_s
    most_s = check_s if judgement.is_grounded else max(check_s, draft.waited_s)
    pending = judgement.to_ask(of_all=of_all)
    try:
        async with asyncio.timeout(most_s), end_on(context.turn.stop):
            for _ in range(ASKED_TIMES):
                if pending:
                    prompt, read = _check_prompt(draft, judgement, pending, state, context)
                    opinion = await context.services.chooser.check(prompt)
                    judgement = await asyncio.to_thread(
                        judgement.with_opinion, opinion, pending, read
                    )
                    pending = judgement.unjudged(of_all=of_all)[:MOST_ASKED]
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("second_look_failed", error)
    return await asyncio.to_thread(judgement.with_numbers)


def _check_prompt(
    draft: WrittenAnswer,
    judgement: Judged,
    pending: Sequence[Sentence],
    state: TurnState,
    context: NodeContext,
) -> tuple[Prompt, list[int]]:
    """The prompt about these sentences, and the numbers of the passages that it holds."""
    sentences = [sentence.text for sentence in pending]
    nearest = _nearest(draft.material.passages, judgement, " ".join(sentences))
    count = context.services.count_tokens
    slots, room = fit_slots(
        "N6_check",
        {
            "passages": [],
            "question": shorten(question_of(state), _QUESTION_CHARS),
            "sentences": sentences,
            **{name: conversation_slots(state)[name] for name in _CONVERSATION},
        },
        context.services,
    )
    read = fit_passages([p for _, p in nearest], min(CHECK_TOKENS, max(1, room.left)), count)
    history = fit_history(history_of(state, _ENTRY_CHARS), min(_HISTORY_TOKENS, room.left), count)
    prompt = render_prompt("N6_check", history=history, **{**slots, "passages": read})
    return prompt, [number for number, _ in nearest[: len(read)]]


def _is_better(repair: Judged, judgement: Judged) -> bool:
    """Whether to take it: an answer that cites is not given up for one that says nothing."""
    if not judgement.is_grounded:
        return repair.is_grounded
    keeps_citing = bool(repair.cited.citations) or not judgement.cited.citations
    return keeps_citing and len(repair.unsupported) < len(judgement.unsupported)


async def _repair(
    draft: WrittenAnswer, judgement: Judged, state: TurnState, context: NodeContext, *, again: bool
) -> Judged | None:
    """The answer with markers, as the model writes it again when told what is missing.

    It is not shown while it grows: the user would see the answer vanish and come again. If it may
    be judged `again`, it is, where it is new.
    """
    prompt = render_prompt(
        "N6_repair",
        unsupported=[s.text for s in judgement.unsupported if s.text not in judgement.contradicted],
        contradicted=list(judgement.contradicted.items()),
        passages=draft.material.passages,
        question=shorten(question_of(state), _QUESTION_CHARS),
        answer=draft.text,
    )
    context.run.notes.count("answers_repaired")
    limits = context.services.limits
    patience = WriteTimeouts(limits.model_budget_s, limits.answer_s)
    try:
        draft_repair = await write(prompt, context, patience)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("answer_not_repaired", error)
        return None
    if draft_repair.early_end or not draft_repair.text.strip():
        return None
    wording = await asyncio.to_thread(draft.judge, draft_repair.text)
    repair_judgement = wording.as_repair_of(judgement, by_signs=False)
    if again:
        recheck = await _check(draft, repair_judgement, state, context, of_all=True)
        if recheck.settled != repair_judgement.settled:
            return recheck
    return await asyncio.to_thread(wording.as_repair_of(judgement).with_numbers)


def _refusal(draft: WrittenAnswer, state: TurnState) -> str:
    """That nothing found answers the question, and what was read in search of it."""
    locale, plan = locale_of(state), state["routing"]["plan"]
    passages = [p for p in draft.material.passages if p.kind != "catalogue"]
    labels = dict.fromkeys(shorten(p.label, _LABEL_CHARS) for p in passages)
    read = [_MARKUP.sub(r"\\\1", label) for label in list(labels)[:MOST_LOOKED_AT]]
    sources = "files" if are_of_files(passages) else plan.replace("+", "-")
    heading = say(locale, f"refused-{sources}")
    return "\n".join([heading, "", *(f"- {label}" for label in read)])


def _answer_without_check(judgement: Judged, draft: WrittenAnswer, state: TurnState) -> Answer:
    """The answer that no model could match with its passages, and these to look at."""
    candidates = list(enumerate(draft.material.passages, 1))
    documents = [(n, p) for n, p in candidates if p.kind != "catalogue"] or candidates
    first = {passage.label: number for number, passage in reversed(documents)}
    read = "".join(f"[{number}]" for number in sorted(first.values())[:MOST_LOOKED_AT])
    note = say(locale_of(state), "unchecked", sources=read)
    resolution = resolve_citations(f"{judgement.corrected}\n\n_{note}_", draft.material.passages)
    return Answer(resolution.text, resolution.citations)


def _with_notes(
    text: str,
    checks: Mapping[str, Any],
    contradictions: Mapping[str, Sequence[int]],
    locale: str,
) -> str:
    """The text with a line for each kind of claims that sources deny, lack, or were not held to."""
    denials = [
        _quotation(sentence) + " " + "".join(f"[{number}]" for number in numbers)
        for sentence, numbers in contradictions.items()
    ]
    kinds = {"contradicted": denials} | {
        phrase: [*map(_quotation, checks[kind])]
        for phrase, kind in (
            ("unsupported", "unsupported"),
            ("uncomputed", "uncomputed"),
            ("unjudged-claims", "unjudged"),
        )
    }
    is_whole = not (checks.get("judged") or contradictions or checks["unsupported"])
    if is_whole and kinds.pop("unjudged-claims"):
        kinds["unjudged"] = [""]
    notes = [
        say(locale, phrase, claims=_claim_list(claims, locale))
        for phrase, claims in kinds.items()
        if claims
    ]
    return "\n\n".join([text, *(f"_{note}_" for note in notes)])


def _claim_list(claims: Sequence[str], locale: str) -> str:
    """The first claims, and how many more there are: nobody reads an answer twice."""
    more = len(claims) - MOST_NAMED
    remainder = [say(locale, "and-more", count=more)] if more > 0 else []
    return " · ".join([*claims[:MOST_NAMED], *remainder])


def _quotation(sentence: str) -> str:
    return shorten(_MARKUP.sub("", sentence), _LABEL_CHARS)
