"""The product's own tools: checks calls, asks nobody twice, and records the actions."""

import asyncio
import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from operator import mul
from types import MappingProxyType
from typing import Any

import structlog
from pydantic import ValidationError

from rich_agent.domain.approving.cards import ApprovalCard, Wording, card_of, verbatim
from rich_agent.domain.origins import PromptProvenance
from rich_agent.domain.retrieval.fusion import rarity
from rich_agent.domain.retrieval.search_terms import languages_in, terms_in
from rich_agent.domain.rules import Circumstances, Ruling, SpentToday, decide, is_bounded
from rich_agent.domain.text import whole_number
from rich_agent.domain.time.wall_time import local_of
from rich_agent.domain.tools import (
    Policy,
    ResultState,
    ToolCall,
    ToolResult,
    ToolSpec,
)
from rich_agent.errors import RichAgentError
from rich_agent.phrases import say_argument, say_tool
from rich_agent.ports.models import EmbeddingModel
from rich_agent.ports.tools import Asker, Executed, ToolExecutions
from rich_agent.runtime.reach import log_failure
from rich_agent.times import Clocks
from rich_agent.tools.card_lines import line_of
from rich_agent.tools.line_forms import ReadableCall
from rich_agent.tools.time_arguments import say_time_argument
from rich_agent.tools.tool import (
    MOST_RESULT_CHARS,
    Outcome,
    Tool,
    ToolRefusedError,
    attempt,
    wrong_arguments,
)
from rich_agent.tools.undoing import TakingBack
from rich_agent.tools.wording import say_label, say_value

_VALUE_PHRASES = MappingProxyType({None: "none", True: "yes", False: "no"})
LONGEST_S = 30.0
"""Seconds that a call may take."""


@dataclass(frozen=True, slots=True)
class Toolbox:
    """Runs the product's own tools.

    `policies` are the operator's, by the tool's name; what they may loosen the rules say.
    `undoable` are the tools whose changes it takes back, if these are more than its own.
    """

    tools: Sequence[Tool]
    executions: ToolExecutions
    policies: Mapping[str, Policy] = field(default_factory=dict)
    undoable: Sequence[Tool] = ()

    async def specs(self, asker: Asker) -> Sequence[ToolSpec]:
        """Every tool that may be called here; `AllTools` chooses among them."""
        return [tool.spec(asks=policy == "ask") for tool, policy in self._permissible_tools(asker)]

    async def requestable_names(self, asker: Asker) -> Sequence[str]:
        """See `Tools.names`."""
        acting = replace(asker, acts=True)
        return [tool.name for tool, _ in self._permissible_tools(acting) if tool.is_requestable]

    def plannable(self, asker: Asker) -> Sequence[ToolSpec]:
        """See `Tools.plannable`: what changes the user's own things."""
        permissible = self._permissible_tools(asker)
        return [tool.spec(asks=True) for tool, _ in permissible if tool.effect == "change"]

    def decide(
        self,
        call: ToolCall,
        asker: Asker,
        provenance: PromptProvenance,
        *,
        is_one_of_several: bool = False,
    ) -> Ruling:
        """The decision on a call; one of an unknown tool is run, which says so."""
        tool = self._find(call.name)
        if tool is None:
            return Ruling("auto")
        now = replace(
            self._circumstances(tool, asker, provenance), is_one_of_several=is_one_of_several
        )
        return self._ruling(tool, call.arguments, asker, now)

    async def spending(self, call: ToolCall, asker: Asker) -> SpentToday | None:
        """The earlier calls of the tool, None if they do not matter."""
        tool = self._find(call.name)
        if tool is None or not is_bounded(tool.effect, tool.rule):
            return None
        tool_names = (tool.name, *tool.aliases)
        return await self.executions.use_today(asker.user_id, tool_names, list(tool.rule.sums))

    def changes(self, name: str) -> bool:
        """Whether a tool of this name exists, and changes something when called."""
        tool = self._find(name)
        return tool is not None and tool.effect == "change"

    def only_read(self, names: Sequence[str]) -> bool:
        """See `Tools.only_read`."""
        return all((tool := self._find(name)) and tool.effect == "read" for name in names)

    def parameters_of(self, name: str) -> Mapping[str, Any]:
        """See `Tools.parameters_of`."""
        tool = self._find(name)
        return tool.spec(asks=False).parameters if tool else {"type": "object"}

    def problem_with(self, call: ToolCall) -> str:
        """See `Tools.problem_with`."""
        tool = self._find(call.name)
        if call.problem or tool is None:
            return call.problem
        try:
            tool.arguments.model_validate(dict(call.arguments))
        except ValidationError as error:
            return "; ".join(
                f"{'.'.join(map(str, one['loc'])) or 'arguments'}: {one['msg']}"
                for one in error.errors()
            )
        return ""

    async def card(self, call: ToolCall, asker: Asker) -> ApprovalCard:
        """See `Tools.card`: labels are in the user's language, and ids get the name of their item.

        What the tool does not know, such as an argument that is too many, is shown as it came.
        """
        tool = self._find(call.name)
        title = say_tool(asker.locale, tool.name if tool else call.name)
        if tool is None:
            return card_of(call, Wording(title))
        arguments = {
            name: value
            for name, value in call.arguments.items()
            if name in tool.arguments.model_fields
        }
        names = {name: await _name(tool, name, value, asker) for name, value in arguments.items()}
        values = {
            name: f"{names[name]} ({verbatim(value)})"
            if names[name]
            else _meaning(tool, name, value, asker)
            for name, value in arguments.items()
        }
        labels = {
            name: say_label(name, asker.locale, is_in_words=bool(value))
            for name, value in values.items()
        }
        extra = await tool.card_extras(asker) if tool.card_extras else {}
        texts = {
            name: names[name] or values[name] or verbatim(value)
            for name, value in arguments.items()
        }
        clocks = Clocks(asker.locale, asker.time_zone)
        line = line_of(
            tool,
            ReadableCall(title, arguments, labels, {**texts, **extra}, clocks),
        )
        card = card_of(call, Wording(title, labels, values, line.text, line.arguments))
        for name, value in extra.items():
            card = card.with_field(name, value, in_line=name in line.arguments)
        return card

    def _permissible_tools(self, asker: Asker) -> list[tuple[Tool, Policy]]:
        provenance = asker.provenance()
        rulings = [
            (
                tool,
                self._ruling(tool, {}, asker, self._circumstances(tool, asker, provenance)).policy,
            )
            for tool in self.tools
        ]
        return [(tool, policy) for tool, policy in rulings if policy != "deny"]

    def _circumstances(
        self, tool: Tool, asker: Asker, provenance: PromptProvenance
    ) -> Circumstances:
        tool_names = (tool.name, *tool.aliases)
        spending = next(
            (asker.spent[one] for one in tool_names if one in asker.spent), SpentToday()
        )
        return Circumstances(
            provenance,
            asker.in_session,
            asker.is_unattended,
            operator_policy=self.policies.get(tool.name),
            spending=spending,
            planned_calls=tuple(one for one in asker.planned if tool.is_called(one.tool)),
            earlier_texts=asker.sent_to(tool_names.__contains__),
        )

    def _ruling(
        self, tool: Tool, arguments: Mapping[str, Any], asker: Asker, now: Circumstances
    ) -> Ruling:
        if not _is_meant_for(tool, asker):
            return Ruling("deny")
        return decide(tool.effect, tool.rule, arguments, now)

    async def run(self, call: ToolCall, asker: Asker) -> ToolResult:
        """See `Tools.run`."""
        began = time.monotonic()
        result = await attempt(call, self._run_in_time(call, asker), acts=False)
        await self.executions.record(asker, call, result, time.monotonic() - began)
        return ToolResult.from_state(result)

    async def _run_in_time(self, call: ToolCall, asker: Asker) -> ResultState:
        try:
            async with asyncio.timeout(LONGEST_S):
                return await self._run(call, asker)
        except TimeoutError as error:
            raise ToolRefusedError(f"It took longer than {LONGEST_S:.0f} seconds.") from error

    async def _run(self, call: ToolCall, asker: Asker) -> ResultState:
        tool = self._find(call.name)
        if tool is None or not self._may_run(tool, asker):
            tool_names = ", ".join(one.name for one in self.tools)
            raise ToolRefusedError(f"There is no tool {call.name!r}. The tools are: {tool_names}.")
        # In a thread: the names of places are read from files once.
        if problem := await asyncio.to_thread(self.problem_with, call):
            raise wrong_arguments(problem)
        arguments = tool.arguments.model_validate(dict(call.arguments))

        async def execute() -> Executed:
            outcome = await tool.run(arguments, asker)
            return Executed(_result(call, outcome, asker), outcome.undo)

        if tool.effect == "read":
            return (await execute()).result
        return await self.executions.once(asker, call, execute)

    def _may_run(self, tool: Tool, asker: Asker) -> bool:
        now = self._circumstances(tool, asker, asker.provenance())
        return self._ruling(tool, {}, asker, now).policy != "deny"

    async def undo(self, user_id: int, request_id: str, locale: str) -> Sequence[str]:
        """See `Tools.undo`."""
        return await TakingBack(self.undoable or self.tools, self.executions).undo(
            user_id, request_id, locale
        )

    def _find(self, name: str) -> Tool | None:
        return next((one for one in self.tools if one.is_called(name)), None)


def _meaning(tool: Tool, name: str, value: object, asker: Asker) -> str:
    """The words for an own argument's value; "" if it is shown as it is."""
    if value_text := say_value(tool, name, value, asker.locale):
        return value_text
    phrase_by_value = {one: say_argument(asker.locale, key) for one, key in _VALUE_PHRASES.items()}
    if value is None or isinstance(value, bool):
        return phrase_by_value[value]
    if value in phrase_by_value.values():
        return json.dumps(value, ensure_ascii=False)
    return say_time_argument(name, value, Clocks(asker.locale, asker.time_zone))


def _is_meant_for(tool: Tool, asker: Asker) -> bool:
    """Whether the tool belongs into this turn: into the guided session, or outside of one."""
    if tool.reads_files:
        return bool(asker.files)
    if not asker.acts:
        return False
    if not asker.in_session:
        return tool.effect != "session"
    return not asker.allowed or tool.name in asker.allowed


async def _name(tool: Tool, argument: str, value: object, asker: Asker) -> str:
    """The name of the item that an id stands for, "" for other values."""
    number = whole_number(str(value))
    if number is None or argument not in tool.names:
        return ""
    return await tool.names[argument](asker.user_id, number)


def _result(call: ToolCall, outcome: Outcome, asker: Asker) -> ResultState:
    """The outcome for the model, which may repeat it: what was done as its user reads it."""
    message_field = {"message": outcome.done} if outcome.done else {}
    encode = partial(_encode_value, asker.time_zone)
    content = json.dumps({**message_field, **outcome.data}, ensure_ascii=False, default=encode)
    return ToolResult(
        call.id,
        "success",
        content[:MOST_RESULT_CHARS],
        outcome.passages,
        outcome.done,
        undoable=outcome.undo is not None,
        card=outcome.card,
        attachments=outcome.attachments,
        words=outcome.words,
    ).to_state()


def _encode_value(time_zone: str, value: object) -> str:
    """Tell a value that JSON has no form for; a moment as clocks show it, to the minute."""
    if isinstance(value, datetime) and value.tzinfo:
        local_time = f"{local_of(value, time_zone or 'UTC'):%Y-%m-%d %H:%M}"
        return local_time if time_zone else f"{local_time} UTC"
    return str(value)


DEADLINE_S, PAUSE_S = 3.0, 60.0
"""How long a model is waited for, and not asked again after it failed."""
_MOST_WORDS = 2_000
"""Characters of a message that are looked at."""
_MOST_KEPT, _MOST_MESSAGES = 2_000, 100
_log = structlog.get_logger()


@dataclass(slots=True)
class ToolChooser:
    """Keeps the vectors of descriptions and of the newest messages: a turn asks several times."""

    embeddings: EmbeddingModel | None
    _vectors: dict[str, list[float]] = field(default_factory=dict)
    _message_vectors: dict[str, list[float]] = field(default_factory=dict)
    _again_at: float = 0.0

    async def best_first(self, tools: Sequence[ToolSpec], words: str) -> list[ToolSpec]:
        """The tools, best match for the words first."""
        texts = [f"{tool.name.replace('_', ' ')}: {tool.description}" for tool in tools]
        query = words[:_MOST_WORDS]
        scores = await self._by_meaning(texts, query) or _by_words(texts, query)
        order = sorted(range(len(tools)), key=lambda place: -scores[place])
        return [tools[place] for place in order]

    async def _by_meaning(self, texts: Sequence[str], words: str) -> list[float] | None:
        if self.embeddings is None or not words.strip() or time.monotonic() < self._again_at:
            return None
        try:
            async with asyncio.timeout(DEADLINE_S):
                await self._learn([text for text in texts if text not in self._vectors])
                query_vector = await self._understand(words)
        except (RichAgentError, TimeoutError) as error:
            log_failure("tools.not_compared", error)
            self._again_at = time.monotonic() + PAUSE_S
            return None
        vectors = (self._vectors[text] for text in texts)
        return [sum(map(mul, query_vector, one)) for one in vectors]

    async def _understand(self, words: str) -> list[float]:
        assert self.embeddings is not None  # noqa: S101 - of the caller
        if words not in self._message_vectors:
            (vector,) = await self.embeddings.embed([words])
            if len(self._message_vectors) >= _MOST_MESSAGES:
                self._message_vectors.clear()
            self._message_vectors[words] = vector
        return self._message_vectors[words]

    async def _learn(self, texts: Sequence[str]) -> None:
        if self.embeddings is None or not texts:
            return
        if len(self._vectors) + len(texts) > _MOST_KEPT:
            self._vectors.clear()
        vectors = await self.embeddings.of_passages().embed(texts)
        self._vectors.update(zip(texts, vectors, strict=True))


def _by_words(texts: Sequence[str], words: str) -> list[float]:
    """The weight of the words that each text holds; a word that few texts hold counts more."""
    languages = languages_in(words)
    terms, query_terms = [terms_in(text, languages) for text in texts], terms_in(words, languages)
    text_count_by_term = Counter(term for one in terms for term in one & query_terms)
    weight_by_term = {term: rarity(count, len(texts)) for term, count in text_count_by_term.items()}
    return [sum(weight_by_term[term] for term in one & query_terms) for one in terms]
