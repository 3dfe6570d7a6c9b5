"""Judges every sentence of an answer by its passages, and corrects its markers accordingly.

A sentence that no passage says, or that one denies, is rewritten, named below the answer, or makes
the answer refused. Sentences that were not checked are shown and named as such. An answer is
refused only after a model gave its opinion.
"""

import asyncio
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rich_agent.domain.answer.citation import Answer, resolve_citations
from rich_agent.domain.answer.comparison import judge
from rich_agent.domain.answer.computation import uncomputed_claims
from rich_agent.domain.answer.grounding import MOST_ASKED, Judged, Sentence, says_nothing
from rich_agent.domain.answer.trace import CHECK_LEFT_OUT
from rich_agent.domain.retrieval.passage import are_of_files
from rich_agent.domain.routing.plan import Plan
from rich_agent.domain.text import shorten
from rich_agent.errors import DailyLimitError, UpstreamError
from rich_agent.graph.acting.offering import files_with_tables
from rich_agent.graph.answer.continuation import (
    Continuation,
    ContinuationLimit,
    continue_answer,
)
from rich_agent.graph.answer.material import Material, fit_slots
from rich_agent.graph.answer.writing import WriteTimeouts, write
from rich_agent.graph.services import NodeContext
from rich_agent.graph.state import TurnState
from rich_agent.graph.views import locale_of, question_of
from rich_agent.phrases import say
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import end_on

MOST_LOOKED_AT = 5
"""The most passages that a refusal, or a note without a check, lists."""
MOST_NAMED = 5
"""The most sentences without grounds that stand below an answer; /why lists all."""
LONGEST_WAIT_S = 60.0
"""After a longer wait, an answer that cites passages is shown without asking a model."""
ASKED_TIMES = 2
"""How often a model is asked: sentences that its first opinion leaves out are asked again."""
_LABEL_CHARS = 120
_OPINION_TOKENS, _SENTENCE_TOKENS = 100, 30
"""The most tokens of an opinion, without its sentences, and of each sentence with its passages."""
_USUAL_OPINION_TOKENS = 15
"""The usual tokens of an opinion on one sentence."""
_MARKUP = re.compile(r"([\\`*_\[\]<>~|])")


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer as the model wrote it, its material, and how long the user waited."""

    text: str
    material: Material
    waited_s: float = 0.0

    def judge(self, text: str) -> Judged:
        """The judgement of a wording, by all that the model read for this answer."""
        return judge(text, self.material.passages, self.material.source_text)


@dataclass(frozen=True, slots=True)
class VerifiedAnswer:
    """The answer as the user gets it, and the result of its checks.

    `checks` (JSON) is empty for an answer that needs no grounds. Else it has:
    - `doubted`, `asked`: the numbers of sentences that signs made doubtful, and that a model was
      asked about;
    - `looked`: whether a model gave an opinion;
    - `repaired`, `refused`: whether the answer was written again, or replaced by a refusal;
    - `unsupported`, `contradicted`, `uncomputed`, `unjudged`: the sentences without a passage,
      denied by one, with numbers that no query computed, and left without the opinion they needed;
    - `judged`, `unsampled`: the numbers of sentences with an opinion, and of those that needed
      none.

    `found_nothing` if the answer says that it lacks the information, or if no web result supports
    it.
    """

    answer: Answer
    checks: dict[str, Any] = field(default_factory=dict)
    found_nothing: bool = False

    @property
    def is_doubtful(self) -> bool:
        """Whether the answer was refused, or was not judged although it needed to be."""
        is_unjudged = bool(self.checks.get("asked")) and not self.checks.get("looked")
        return is_unjudged or bool(self.checks.get("refused"))


ShowAnswer = Callable[[VerifiedAnswer], None]
"""Shows an answer before it is judged."""


def without_verification(whole: WrittenAnswer, plan: Plan) -> VerifiedAnswer:
    """An answer that needs no grounds, with the citations that it has all the same."""
    resolution = resolve_citations(whole.text.strip(), whole.material.passages)
    found_nothing = says_nothing(whole.text) and plan != "direct" and not resolution.citations
    return VerifiedAnswer(
        Answer(resolution.text, resolution.citations), found_nothing=found_nothing
    )


async def verify(
    draft: WrittenAnswer, state: TurnState, context: NodeContext, show: ShowAnswer
) -> VerifiedAnswer | None:
    """The checked answer with its citations; None if the user stopped the turn meanwhile.

    An answer without doubtful signs goes to `show` first. Then a model names the passages that say
    or deny each sentence; in answers outside the sample, only each doubtful sentence. Code corrects
    the markers and compares the numbers. An answer with unsupported sentences, or without
    citations, is repaired by one more call. If it still has no support at all, it is refused if it
    should rest on documents, and marked if it should rest on the web. Other unsupported or unjudged
    sentences are named below the answer.
    """
    signs_judgement = await asyncio.to_thread(draft.judge, draft.text)
    is_sampled = random.random() < context.services.limits.checked_share  # noqa: S311 - a sample
    doubtful, claims = signs_judgement.doubtful, signs_judgement.to_ask(of_all=is_sampled)
    is_plain = bool(claims) and signs_judgement.is_grounded and not doubtful
    if is_plain and await _has_right_numbers(signs_judgement):
        show(_conclude(draft, signs_judgement, state, {}, has_grounds=True))
    judgement = await _check(draft, signs_judgement, context, of_all=is_sampled)
    checks: dict[str, Any] = {"doubted": len(doubtful), "asked": len(claims)}
    checks["looked"] = is_judged = bool(judgement.settled)
    repair = None
    if not judgement.is_grounded or judgement.unsupported:
        again = is_sampled and is_judged
        repair = await _repair(draft, judgement, context, again=again)
    if context.turn.stop.is_set():
        return None
    is_unfounded = 0 < len(judgement.unsupported) == len(judgement.sentences)
    is_empty = is_unfounded and bool(repair and repair.says_nothing)
    if repair and _is_better(repair, judgement):
        judgement = repair
    has_grounds = judgement.is_grounded and not is_empty
    checks |= {"repaired": judgement is repair, **judgement.states(of_all=is_sampled)}
    checks["uncomputed"] = await _uncomputed_texts(judgement, state, context)
    answer = _conclude(draft, judgement, state, checks, has_grounds=has_grounds)
    if answer.checks["refused"]:
        context.run.notes.count("answers_refused")
    return answer


async def _has_right_numbers(judgement: Judged) -> bool:
    """Whether all numbers of the answer agree with its passages."""
    return not (await asyncio.to_thread(judgement.with_numbers)).unsupported


def _conclude(
    draft: WrittenAnswer,
    judgement: Judged,
    state: TurnState,
    checks: dict[str, Any],
    *,
    has_grounds: bool,
) -> VerifiedAnswer:
    """The final answer, with notes on its gaps, or a refusal in its place."""
    is_denied = bool(judgement.unsupported) and not judgement.contradicted
    can_be_refused = is_denied and state["routing"]["plan"] != "web"
    is_refusal = not judgement.cited.text or (not has_grounds and can_be_refused)
    unsupported_texts = [] if is_refusal else [sentence.text for sentence in judgement.unsupported]
    contradictions = {
        text: judgement.contradicted[text]
        for text in unsupported_texts
        if text in judgement.contradicted
    }
    checks = {
        "unjudged": [],
        "uncomputed": [],
        **checks,
        "refused": is_refusal,
        "unsupported": [text for text in unsupported_texts if text not in contradictions],
        "contradicted": list(contradictions),
    }
    if is_refusal:
        checks |= {"unjudged": [], "uncomputed": []}
        return VerifiedAnswer(Answer(_refusal(draft, state)), checks)
    if not has_grounds and not unsupported_texts:
        return VerifiedAnswer(_answer_without_check(judgement, draft, state), checks)
    text = _with_notes(judgement.corrected, checks, contradictions, locale_of(state))
    resolution = resolve_citations(text, draft.material.passages)
    is_unfounded = not has_grounds and state["routing"]["plan"] == "web"
    found_nothing = judgement.says_nothing or is_unfounded
    return VerifiedAnswer(Answer(resolution.text, resolution.citations), checks, found_nothing)


async def _uncomputed_texts(judgement: Judged, state: TurnState, context: NodeContext) -> list[str]:
    """The claims about partly read files with tables whose numbers no query computed."""
    partial_ids = {
        file_use["id"]
        for file_use in state.get("files", {}).get("used", ())
        if file_use["how"] != "whole"
    }
    if not partial_ids:
        return []
    files = await files_with_tables(state, context.services)
    file_ids = [file.id for file in files if file.id in partial_ids]
    claims = await asyncio.to_thread(uncomputed_claims, judgement, file_ids, question_of(state))
    return [claim.text for claim in claims]


async def _check(
    draft: WrittenAnswer, judgement: Judged, context: NodeContext, *, of_all: bool
) -> Judged:
    """The judgement with the planner model's opinion, and the numbers of all sentences compared."""
    if judgement.is_grounded and draft.waited_s > LONGEST_WAIT_S:
        return await asyncio.to_thread(judgement.with_numbers)
    check_s = context.services.limits.check_s
    timeout_s = check_s if judgement.is_grounded else max(check_s, draft.waited_s)
    pending_sentences = judgement.to_ask(of_all=of_all)
    try:
        async with asyncio.timeout(timeout_s), end_on(context.turn.stop):
            for _ in range(ASKED_TIMES):
                if pending_sentences:
                    request = _check_request(draft, judgement, pending_sentences, context)
                    if not _ends_in_time(request, len(pending_sentences), timeout_s, context):
                        context.run.notes.count(CHECK_LEFT_OUT)
                        break
                    opinion = await context.services.chooser.check(request.prompt)
                    judgement = await asyncio.to_thread(
                        judgement.with_opinion,
                        opinion,
                        pending_sentences,
                        request.passage_numbers,
                    )
                    pending_sentences = judgement.unjudged(of_all=of_all)[:MOST_ASKED]
    except (UpstreamError, DailyLimitError, TimeoutError) as error:
        context.run.notes.survive("second_look_failed", error)
    return await asyncio.to_thread(judgement.with_numbers)


def _ends_in_time(
    request: Continuation, sentence_count: int, timeout_s: float, context: NodeContext
) -> bool:
    """Whether the model's server can judge this many sentences within the time for it."""
    written_tokens = sentence_count * _USUAL_OPINION_TOKENS
    return context.services.optional_calls.fit(request.tokens, written_tokens, timeout_s)


def _check_request(
    draft: WrittenAnswer,
    judgement: Judged,
    pending_sentences: Sequence[Sentence],
    context: NodeContext,
) -> Continuation:
    """The request for an opinion of these sentences, which continues the answer's prompt."""
    texts = [sentence.text for sentence in pending_sentences]
    request = _continuation("N6_check", {"sentences": texts}, draft, judgement, context)
    most_tokens = _OPINION_TOKENS + len(texts) * _SENTENCE_TOKENS
    return replace(request, prompt=replace(request.prompt, most_tokens=most_tokens))


def _continuation(
    name: str,
    slots: Mapping[str, Any],
    draft: WrittenAnswer,
    judgement: Judged,
    context: NodeContext,
) -> Continuation:
    """The answer's prompt, the judged wording, and the request of this name."""
    fitting_slots, budget = fit_slots(name, slots, context.services)
    limit = ContinuationLimit(
        budget.whole - context.services.schema_tokens.get(name, 0),
        budget.count,
        {citation.id for citation in judgement.cited.citations},
    )
    request = render_prompt(name, **fitting_slots).user
    return continue_answer(draft.material, judgement.written, request, limit)


def _is_better(repair: Judged, judgement: Judged) -> bool:
    """Whether to use the repaired answer.

    An answer that cites is never replaced by one that says nothing.
    """
    if not judgement.is_grounded:
        return repair.is_grounded
    keeps_citing = bool(repair.cited.citations) or not judgement.cited.citations
    return keeps_citing and len(repair.unsupported) < len(judgement.unsupported)


async def _repair(
    draft: WrittenAnswer, judgement: Judged, context: NodeContext, *, again: bool
) -> Judged | None:
    """The answer, rewritten by the model with a list of its gaps; None if this failed.

    The text is not shown while it grows: the user would see the first answer vanish. With `again`,
    a model judges the new sentences.
    """
    slots = {
        "unsupported": [
            sentence.text
            for sentence in judgement.unsupported
            if sentence.text not in judgement.contradicted
        ],
        "contradicted": list(judgement.contradicted.items()),
    }
    prompt = _continuation("N6_repair", slots, draft, judgement, context).prompt
    context.run.notes.count("answers_repaired")
    limits = context.services.limits
    timeouts = WriteTimeouts(limits.model_budget_s, limits.answer_s)
    try:
        draft_repair = await write(prompt, context, timeouts)
    except (UpstreamError, DailyLimitError) as error:
        context.run.notes.survive("answer_not_repaired", error)
        return None
    if draft_repair.early_end or not draft_repair.text.strip():
        return None
    judged_wording = await asyncio.to_thread(draft.judge, draft_repair.text)
    repair_judgement = judged_wording.as_repair_of(judgement, by_signs=False)
    if again:
        recheck = await _check(draft, repair_judgement, context, of_all=True)
        if recheck.settled != repair_judgement.settled:
            return recheck
    return await asyncio.to_thread(judged_wording.as_repair_of(judgement).with_numbers)


def _refusal(draft: WrittenAnswer, state: TurnState) -> str:
    """The text of a refusal: nothing answers the question, and the passages that were read."""
    locale, plan = locale_of(state), state["routing"]["plan"]
    passages = [passage for passage in draft.material.passages if passage.kind != "catalogue"]
    labels = dict.fromkeys(shorten(passage.label, _LABEL_CHARS) for passage in passages)
    label_lines = [_MARKUP.sub(r"\\\1", label) for label in list(labels)[:MOST_LOOKED_AT]]
    sources = "files" if are_of_files(passages) else plan.replace("+", "-")
    heading = say(locale, f"refused-{sources}")
    return "\n".join([heading, "", *(f"- {label}" for label in label_lines)])


def _answer_without_check(judgement: Judged, draft: WrittenAnswer, state: TurnState) -> Answer:
    """The answer that no model could check, with a note that lists passages to look at."""
    numbered_passages = list(enumerate(draft.material.passages, 1))
    documents = [
        (position, candidate)
        for position, candidate in numbered_passages
        if candidate.kind != "catalogue"
    ] or numbered_passages
    number_by_label = {passage.label: number for number, passage in reversed(documents)}
    markers = "".join(f"[{number}]" for number in sorted(number_by_label.values())[:MOST_LOOKED_AT])
    note = say(locale_of(state), "unchecked", sources=markers)
    resolution = resolve_citations(f"{judgement.corrected}\n\n_{note}_", draft.material.passages)
    return Answer(resolution.text, resolution.citations)


def _with_notes(
    text: str,
    checks: Mapping[str, Any],
    contradictions: Mapping[str, Sequence[int]],
    locale: str,
) -> str:
    """The text with a line for each kind of claims: denied, without source, or not checked."""
    denials = [
        _quotation(sentence)
        + " "
        + "".join(f"[{passage_number}]" for passage_number in passage_numbers)
        for sentence, passage_numbers in contradictions.items()
    ]
    claims_by_phrase = {"contradicted": denials} | {
        phrase: [*map(_quotation, checks[check_name])]
        for phrase, check_name in (
            ("unsupported", "unsupported"),
            ("uncomputed", "uncomputed"),
            ("unjudged-claims", "unjudged"),
        )
    }
    is_all_unjudged = not (checks.get("judged") or contradictions or checks["unsupported"])
    if is_all_unjudged and claims_by_phrase.pop("unjudged-claims"):
        claims_by_phrase["unjudged"] = [""]
    notes = [
        say(locale, phrase, claims=_claim_list(claims, locale))
        for phrase, claims in claims_by_phrase.items()
        if claims
    ]
    return "\n\n".join([text, *(f"_{note}_" for note in notes)])


def _claim_list(claims: Sequence[str], locale: str) -> str:
    """The first claims in one line, and the number of other claims."""
    hidden_count = len(claims) - MOST_NAMED
    more_note = [say(locale, "and-more", count=hidden_count)] if hidden_count > 0 else []
    return " · ".join([*claims[:MOST_NAMED], *more_note])


def _quotation(sentence: str) -> str:
    """A sentence without markup, shortened."""
    return shorten(_MARKUP.sub("", sentence), _LABEL_CHARS)
