"""Tests each model in its role once, as cheaply as possible."""

import asyncio
import json
import math
import time
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from io import BytesIO
from typing import get_args

from PIL import Image as Picture

from rich_agent.commands.diagnosis.check_results import (
    CheckResult,
    Level,
    by_cause,
    check_failure,
    run_check,
)
from rich_agent.domain.model_role import Capabilities, ModelRole, Step
from rich_agent.domain.text import shorten
from rich_agent.domain.usage_limits import Usage, show_usd, total
from rich_agent.domain.vision import Image
from rich_agent.errors import (
    BrokenAnswerError,
    EarlyEndError,
    EmptyCompletionError,
    RichAgentError,
    UpstreamError,
    UpstreamRefusedError,
)
from rich_agent.graph.memory.learning import is_soon_learned
from rich_agent.graph.services import Services
from rich_agent.graph.views import NO_CONVERSATION
from rich_agent.prompts import render_prompt
from rich_agent.runtime.concurrency import closing_after
from rich_agent.runtime.metering import Meter, bill_to
from rich_agent.settings.models import RoleName
from rich_agent.settings.settings import Settings
from rich_agent.upstreams.models.reranking import RerankServer

_PHOTO_PIXELS = 256
_WORD, _SHOWN_CHARS = "ok", 60
_WORD_TOKENS, _WORD_CHARS, _OTHER_CHARS = 200, 600, 150
"""A model that writes more where one word was asked for finds no end; sooner without that word."""
_SENSELESS = "this model does not follow instructions"
_NOT_AS_ASKED = ", though not the one that it was asked for"
_CHATTING = (
    "Set CHAT_MODEL to a model that was trained to chat (often named -instruct, -it or -chat). "
    "If it was, check the chat template of its server."
)
_HURRIED_S = 15.0
"""For a plan or a description by a model that did not say the word."""
_LONG_PROMPT_TOKENS = 6_000
_TYPICAL_PASSAGE, _TYPICAL_CONVERSATION, _TYPICAL_ANSWER = 300, 1_000, 300
"""Tokens: of a passage, of instructions with a short conversation, and of an answer."""
_TYPICAL_FORM = 100
"""Tokens of a filled form, such as a plan or the opinion on an answer."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One role of a model; `setting` names the model, `level` is how bad a failure is."""

    name: RoleName
    role: str
    setting: str
    run: Callable[[], Awaitable[str]]
    level: Level = "FAIL"


async def try_models(
    settings: Settings, services: Services, unknown: Collection[str]
) -> list[CheckResult]:
    """The results of the trials of all roles, except roles whose setting is in `unknown`."""
    # Photos alone suffer from a chat model without eyes, and nobody asked for them.
    vision_level: Level = "FAIL" if settings.models.vision.model else "warn"
    planner, vision = (settings.models.role(name).model_setting for name in ("planner", "vision"))
    meter = Meter()
    trials = [
        Trial("chat", "chat model", "CHAT_MODEL", lambda: _answer(services)),
        Trial("planner", "planner", planner, lambda: _plan(services, meter)),
        Trial("vision", "vision model", vision, lambda: _look(services), vision_level),
        Trial("embedding", "embeddings", "EMBEDDING_MODEL", lambda: _embed(services)),
    ]
    selection = [trial for trial in trials if trial.setting not in unknown]
    results = [await _try(trial) for trial in selection[:1]]
    other_trials = selection[1:]
    if results and results[0].detail.startswith(_SENSELESS):
        # Its plans would be nonsense too, and take minutes.
        chat_trials = [trial for trial in other_trials if _is_chat(settings, trial.name)]
        results += [replace(results[0], name=trial.role) for trial in chat_trials]
        other_trials = [trial for trial in other_trials if trial not in chat_trials]
    is_doubtful = bool(results) and _NOT_AS_ASKED in results[0].detail
    results += await asyncio.gather(
        *(
            _try(trial, _HURRIED_S if is_doubtful and _is_chat(settings, trial.name) else None)
            for trial in other_trials
        )
    )
    further_results = []
    if any(result.name == "chat model" and result.ok for result in results):
        further_results.append(await run_check("window", lambda: _fill_window(services), "warn"))
    if any(result.name == "planner" and result.ok for result in results):
        further_results.append(CheckResult("cost", "ok", _typical_turn(settings, meter)))
        further_results += tell_speed(settings, services)
    return by_cause([*results, *further_results])


def _is_chat(settings: Settings, name: RoleName) -> bool:
    """Whether a role is served by the model that answers."""
    role, chat = settings.models.role(name), settings.models.role("chat")
    return (role.server, role.model) == (chat.server, chat.model)


async def _try(trial: Trial, deadline_s: float | None = None) -> CheckResult:
    try:
        async with asyncio.timeout(deadline_s):
            return await run_check(trial.role, _with_duration(trial.run), trial.level)
    except TimeoutError:
        reason = f"{_SENSELESS}: it said something else than asked, and no end was in sight"
        return CheckResult(trial.role, trial.level, reason, _CHATTING)


def _with_duration(run: Callable[[], Awaitable[str]]) -> Callable[[], Awaitable[str]]:
    """The trial, which also says how long it took."""

    async def run_with_clock() -> str:
        began = time.perf_counter()
        outcome = await run()
        return f"{outcome}; {time.perf_counter() - began:.1f} s"

    return run_with_clock


def _typical_turn(settings: Settings, meter: Meter) -> str:
    """The tokens and cost of an answer from documents; only the plan's tokens are measured."""
    plan_usage = total(Usage.from_json(one) for one in meter.used_in("doctor"))
    passage_tokens = settings.turn.retrieval_passages * _TYPICAL_PASSAGE
    answer = Usage(
        1, input_tokens=passage_tokens + _TYPICAL_CONVERSATION, output_tokens=_TYPICAL_ANSWER
    )
    roles = settings.models.role("planner"), settings.models.role("chat")
    costs = [
        settings.prices.cost(role.model, usage)
        for role, usage in zip(roles, (plan_usage, answer), strict=True)
    ]
    tokens_notice = (
        f"an answer from documents takes about {plan_usage.tokens + answer.tokens:,} tokens"
    )
    if None in costs:
        return f"{tokens_notice}; set MODEL_PRICES to see what they cost"
    return f"{tokens_notice}, {show_usd(sum(filter(None, costs), Decimal(0)))}"


def tell_speed(settings: Settings, services: Services) -> list[CheckResult]:
    """The measured speed of the planner's model, and the calls that are left out because of it."""
    calls, speed = services.optional_calls, services.optional_calls.planner()
    if speed is None:
        return []
    writes = f" and writes {speed.written:,.0f}" if math.isfinite(speed.written) else ""
    detail = f"the planner's model reads {speed.read:,.0f} tokens a second{writes}"
    read_tokens = settings.turn.retrieval_passages * _TYPICAL_PASSAGE + _TYPICAL_CONVERSATION
    further_s = speed.seconds(read_tokens, _TYPICAL_FORM)
    plan_s = speed.seconds(_TYPICAL_CONVERSATION, _TYPICAL_FORM)
    is_made = {
        "further searches": calls.fit_before_answer(read_tokens, _TYPICAL_FORM, plan_s),
        "checks of answers": calls.fit(read_tokens, _TYPICAL_FORM, services.limits.check_s),
        "lessons before the next message": is_soon_learned(services),
    }
    left_out = [name for name, is_call_made in is_made.items() if not is_call_made]
    if calls.policy != "auto" or not left_out:
        return [CheckResult("speed", "ok", detail)]
    detail += f"; a further search takes {further_s:.0f} s. Left out: {', '.join(left_out)}"
    hint = "Set PLANNER_MODEL to a faster model, or OPTIONAL_CALLS=always to wait for these calls."
    return [CheckResult("speed", "warn", detail, hint)]


def tell_capabilities(
    settings: Settings, capabilities_by_model: Mapping[tuple[str, str], Capabilities]
) -> Iterator[CheckResult]:
    """Tell how each configured model gives structured output, and what its server does not take."""
    roles: dict[tuple[str, str], list[ModelRole]] = {}
    for role in settings.models.roles:
        roles.setdefault((role.server, role.model), []).append(role)
    for (server, model), capabilities in capabilities_by_model.items():
        if (server, model) in roles:
            yield _tell_capabilities(capabilities, roles[server, model])


def _tell_capabilities(capabilities: Capabilities, roles: Sequence[ModelRole]) -> CheckResult:
    steps = get_args(Step)
    by = without = ""
    if capabilities.step:
        place = steps.index(capabilities.step) + 1
        by = f"structured output by {capabilities.step} ({place} of {len(steps)})"
    if capabilities.refused:
        without = f"without {', '.join(sorted(capabilities.refused))}"
    detail = "; ".join(filter(None, [by, without, *_habits(capabilities)]))
    useless_by_setting = {
        role.parameters_setting: sorted(capabilities.refused & role.parameters.keys())
        for role in roles
    }
    hint = " ".join(
        f"Take {', '.join(parameter_names)} out of {setting}: the server refuses it."
        for setting, parameter_names in useless_by_setting.items()
        if parameter_names
    )
    level: Level = "warn" if hint else "ok"
    if switches := {name: on for name, on in capabilities.demanded.items() if name != "stream"}:
        settings = sorted({one.parameters_setting for one in roles} - {"CHAT_PARAMETERS"})
        wish = ", ".join(f"{setting}={json.dumps(switches)}" for setting in settings)
        hint = f"{hint} To have it so from the first request, set {wish}.".strip()
    return CheckResult(f"model {roles[0].model}", level, detail, hint)


def _habits(capabilities: Capabilities) -> Iterator[str]:
    """Yield the server's other demands, and its way of ending answers."""
    for name, value in sorted(capabilities.demanded.items()):
        form = "asked by streams alone" if name == "stream" else f"{name}={json.dumps(value)}"
        yield form if name == "stream" else f"{form} where it does not stream"
    if capabilities.most_tokens:
        yield f"at most {capabilities.most_tokens:,} tokens an answer"
    if capabilities.answers_whole:
        yield "the server ignores `stream` and sends answers whole"
    if capabilities.marks_ends is False:
        yield "its streams have no mark of their end, and count as whole without one"


async def _answer(services: Services) -> str:
    try:
        return await _answer_once(services)
    except BrokenAnswerError:
        return await _answer_once(services)  # as in a turn


async def _answer_once(services: Services) -> str:
    prompt = replace(render_prompt("doctor", question=f"Say {_WORD}."), most_tokens=_WORD_TOKENS)
    text, began, first_s, has_end = "", time.perf_counter(), 0.0, True
    try:
        async with closing_after(services.chat.stream(prompt)) as pieces:
            async for piece in pieces:
                first_s = first_s or time.perf_counter() - began
                text += str(piece)
                if len(text) > (_WORD_CHARS if _WORD in text.casefold() else _OTHER_CHARS):
                    has_end = False
                    break
    except EarlyEndError as error:
        has_end = error.reason not in {"length", "repeated"}
        if has_end:
            raise
    if not has_end:
        raise UpstreamError(
            "model",
            f"{_SENSELESS}: asked for one word, it wrote “{shorten(text, _SHOWN_CHARS)}” and "
            "found no end",
            hint=_CHATTING,
        )
    if not text.strip():
        raise EmptyCompletionError(
            "model",
            "its answer is empty",
            hint="See the server's log: a content filter, or thinking that uses up the tokens, may "
            "have emptied the answer. Or set another CHAT_MODEL.",
        )
    is_obeyed = _WORD in text.casefold()
    return f"answers, first word after {first_s:.1f} s" + ("" if is_obeyed else _NOT_AS_ASKED)


async def _fill_window(services: Services) -> str:
    """The size of the window, or that a prompt as long as a turn's arrives whole."""
    window, most = await services.window(), services.limits.max_context_tokens
    if window:
        room = services.limits.within(window).max_context_tokens
        return f"{window:,} tokens; a prompt gets {room:,}"
    length = min(most, _LONG_PROMPT_TOKENS)
    prompt = render_prompt("doctor", question="word " * length + f"Say {_WORD}.")
    prompt = replace(prompt, most_tokens=_WORD_TOKENS)
    meter = Meter()
    with bill_to(meter, "doctor"):
        async for _ in services.chat.stream(prompt):
            pass
    if cut := next(meter.cut_calls(), None):
        raise UpstreamRefusedError(
            "model",
            f"read {cut.input_tokens:,} of about {length:,} tokens, without an error",
            hint="Give the model a larger window on its server (Ollama: OLLAMA_CONTEXT_LENGTH), or "
            "set CONTEXT_WINDOW.",
        )
    return f"not reported by the server; a prompt of {length:,} tokens arrives"


async def _plan(services: Services, meter: Meter) -> str:
    prompt = render_prompt(
        "N4_build_effective_query",
        present=f"{services.now():%A, %Y-%m-%d %H:%M} UTC",
        domain=services.domain,
        source_names=[],
        titles=[],
        spaces=[],
        tools=[],
        persona=None,
        audience="user",
        can_search_web=services.web is not None,
        question=services.domain.examples[0] if services.domain.examples else "What is new?",
        **NO_CONVERSATION,
    )
    with bill_to(meter, "doctor"):
        routing = await services.planner.plan(prompt)
    return f"plans by structured output ({routing.plan})"


async def _look(services: Services) -> str:
    summary = await services.vision.summarize(_photo(), render_prompt("N3_vision_summarize"))
    return f"describes a photo ({len(summary.summary)} characters)"


async def _embed(services: Services) -> str:
    if services.embeddings is None:
        return "none: search by words only"
    await services.embeddings.embed(["doctor"])
    return f"{services.embeddings.name}, {services.embeddings.dimensions} dimensions"


def _photo() -> Image:
    """A red square on white."""
    picture = Picture.new("RGB", (_PHOTO_PIXELS, _PHOTO_PIXELS), "white")
    side = _PHOTO_PIXELS // 2
    picture.paste("red", (side // 2, side // 2, side // 2 + side, side // 2 + side))
    file = BytesIO()
    picture.save(file, "JPEG")
    return Image(file.getvalue(), "image/jpeg")


_ASKED = "When does the museum open?"
_ANSWERING = "The museum opens at nine in the morning, except on Mondays."
_FILLING = (
    "The tram leaves from the square in front of the station, passes the harbour and the old town, "
    "and ends at the university. Tickets are sold on board and are valid for ninety minutes. " * 4
)
"""As long as a passage."""


async def try_reranker(settings: Settings, services: Services) -> list[CheckResult]:
    """The result of ranking as many passages as a search gives, where a reranker is configured."""
    if services.reranking is None:
        return []
    reranking, began = services.reranking, time.perf_counter()
    texts = [f"{_FILLING} {n}" for n in range(reranking.candidates - 1)] + [_ANSWERING]
    try:
        order = await reranking.model.rank(_ASKED, texts)
    except RichAgentError as error:
        return [check_failure("reranker", error, "warn")]
    took_s = time.perf_counter() - began
    how = f" like {reranking.model.dialect}" if isinstance(reranking.model, RerankServer) else ""
    detail = f"ranks {len(texts)} passages{how}; {took_s:.1f} s"
    if order[:1] != [len(texts) - 1]:
        hint = "Set RERANK_MODEL to a model that was trained to rerank."
        problem = f"{detail}, but does not put the one that answers first"
        return [CheckResult("reranker", "warn", problem, hint)]
    if took_s > settings.models.rerank.waits_s:
        hint = f"Give it more time with RERANK_TIMEOUT_S, now {settings.models.rerank.waits_s:g}."
        return [CheckResult("reranker", "warn", f"{detail}: too late to be used", hint)]
    return [CheckResult("reranker", "ok", detail)]
