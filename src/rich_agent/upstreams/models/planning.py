"""The planner: lets a chat model decide by structured output how to answer a turn."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, ClassVar, Literal, get_args

from pydantic import Field, WithJsonSchema

from rich_agent.domain.message import ReplyMeaning
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.routing.clarification import MOST_CHOICES
from rich_agent.domain.routing.plan import (
    MOST_QUERIES,
    Clarification,
    Detail,
    ForgetWish,
    PastQuestion,
    Routing,
    WebUse,
)
from rich_agent.domain.tools import MOST_CALLS
from rich_agent.domain.vision import ImageQuestion
from rich_agent.ports.models import Prompt
from rich_agent.prompts import disarm, render_prompt
from rich_agent.upstreams.models.forms import Form, OpenAIFormModel
from rich_agent.upstreams.servers.output_shapes import ModelOutput, MostChars, MostItems

_TAG = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,34}")
_QueryText = Annotated[str, MostChars(200)]
"""A search query."""
_Numbers = Annotated[list[int], MostItems(20)]
"""Numbers of entries that the prompt lists."""
_Name = Annotated[str, MostChars(64)]
"""The name of a tool or of one of its arguments."""


class PlannedClarification(ModelOutput):
    """A question that the user has to be asked first."""

    bare: ClassVar[str] = "question"

    question: Annotated[str, MostChars(300)] = ""
    choices: Annotated[list[Annotated[str, MostChars(60)]], MostItems(MOST_CHOICES)] = Field(
        default_factory=list
    )

    def to_clarification(self) -> Clarification | None:
        """Convert to the domain type; None without a question."""
        if not self.question.strip():
            return None
        return Clarification(self.question, tuple(self.choices))


class AboutThePast(ModelOutput):
    """Which earlier turns of the conversation the user asks about."""

    bare: ClassVar[str] = "query"

    order: Literal["nearest", "oldest", "newest"] = "nearest"
    since: date | None = None
    until: date | None = None
    query: _QueryText = ""

    def to_question(self) -> PastQuestion:
        """Convert to a search in the archive."""
        return PastQuestion(self.query, self.order, self.since, self.until)


class PlannedForgetting(ModelOutput):
    """The wish to have something forgotten."""

    bare: ClassVar[str] = "what"

    scope: Literal["last", "subject", "everything"] = "subject"
    what: Annotated[str, MostChars(200)] = ""
    words: Annotated[list[Annotated[str, MostChars(40)]], MostItems(16)] = Field(
        default_factory=list
    )

    def to_wish(self) -> ForgetWish | None:
        """Convert to the domain type; None if the request names nothing to forget."""
        words = tuple(filter(None, map(str.strip, self.words)))
        what = self.what.strip()
        if self.scope == "subject" and not (what or words):
            return None
        return ForgetWish(self.scope, what, words)


class PlannedTurn(ModelOutput):
    """A plan for the answer.

    The instructions explain the fields. A prompt asks for those that can apply to its message. The
    texts stand last, because a small model may write them without end.
    """

    may_be_cut: ClassVar[bool] = True

    intent: Annotated[str, MostChars(100)]
    plan: Literal["direct", "rag", "web", "rag+web"]
    web: Annotated[
        WebUse | None, WithJsonSchema({"enum": list(get_args(WebUse)), "type": "string"})
    ] = None
    language: Annotated[str, MostChars(35)] = ""
    catalogue: bool = False
    teaches: bool = True
    action: bool = False
    about_the_past: bool = False
    forget: bool = False
    clarification: bool = False
    new_request: bool = False
    leaves_session: bool = False
    files: _Numbers = Field(default_factory=list)
    whole_file: bool = False
    spaces: _Numbers = Field(default_factory=list)
    image_numbers: _Numbers = Field(default_factory=list)
    query: _QueryText = ""
    queries: Annotated[list[Annotated[str, MostChars(110)]], MostItems(MOST_QUERIES)] = Field(
        default_factory=list
    )
    described: Annotated[str, MostChars(100)] = ""
    image_question: Annotated[str, MostChars(300)] = ""
    reason: Annotated[str, MostChars(100, is_shown=True)] = ""

    def to_routing(self) -> Routing:
        """Convert to the domain type; what a further call has to tell is open."""
        image_question = self.image_question.strip()
        applies_by_detail: dict[Detail, bool] = {
            "clarification": self.clarification,
            "past": self.about_the_past,
            "forget": self.forget,
        }
        return Routing(
            self.intent,
            self.plan,
            self.reason,
            self.query,
            tuple(self.queries),
            is_new_request=self.new_request,
            image_question=ImageQuestion(image_question, tuple(self.image_numbers))
            if image_question
            else None,
            web=self.web,
            teaches=self.teaches,
            acts=self.action,
            files=tuple(self.files),
            reads_whole=self.whole_file,
            spaces=tuple(self.spaces),
            leaves_session=self.leaves_session,
            described=self.described,
            lists_documents=self.catalogue,
            language=self.language if _TAG.fullmatch(self.language) else "",
            open_details=tuple(detail for detail, applies in applies_by_detail.items() if applies),
        )


class WantedSearch(ModelOutput):
    """The search that is still wanted."""

    useful: _Numbers = Field(
        default_factory=list, description="Numbers of the passages that the answer needs."
    )
    queries: Annotated[list[_QueryText], MostItems(2)] = Field(
        default_factory=list, description="At most two queries for what is missing; else empty."
    )
    around: Annotated[list[int], MostItems(6)] = Field(
        default_factory=list, description="Numbers of passages that break off too early."
    )
    outlines: Annotated[list[int], MostItems(6)] = Field(
        default_factory=list, description="Numbers of passages whose document's headings help."
    )
    goes_on: bool = Field(
        default=False, description="Whether yet another search has to follow this one."
    )

    def to_search(self) -> FurtherSearch:
        """Convert to the domain type."""
        return FurtherSearch(
            tuple(self.useful),
            tuple(filter(None, (" ".join(query.split()) for query in self.queries))),
            tuple(self.around),
            tuple(self.outlines),
            self.goes_on,
        )


class GivenValue(ModelOutput):
    """A value that stands in the message."""

    argument: _Name
    value: Annotated[str, MostChars(2_000)]


class PlannedStep(ModelOutput):
    """A call that the message asks for."""

    tool: _Name
    given: Annotated[list[GivenValue], MostItems(12)] = Field(
        default_factory=list, description="Arguments whose values stand in the message."
    )
    written: Annotated[list[_Name], MostItems(12)] = Field(
        default_factory=list, description="Names of arguments with a text to be written or a time."
    )
    repeats: bool = Field(
        default=False, description="Whether the message asks for it again and again."
    )

    def to_call(self) -> PlannedCall:
        """Convert to the domain type."""
        values: dict[str, list[str]] = {}
        for given_value in self.given:
            values.setdefault(given_value.argument, []).append(given_value.value)
        return PlannedCall(self.tool, values, frozenset(self.written), self.repeats)


class PlannedCalls(ModelOutput):
    """The calls that a message asks for."""

    steps: Annotated[list[PlannedStep], MostItems(MOST_CALLS)] = Field(default_factory=list)


class ReadReply(ModelOutput):
    """The meaning of a reply for calls that wait for approval."""

    reply: ReplyMeaning = "changes"


class OpenAIPlanner(OpenAIFormModel):
    """Implements `Planner`."""

    async def search_further(self, prompt: Prompt) -> FurtherSearch:
        return (await self.fill(prompt, WantedSearch)).to_search()

    async def plan_calls(self, prompt: Prompt) -> Sequence[PlannedCall]:
        calls = await self.fill(prompt, PlannedCalls)
        return [step.to_call() for step in calls.steps]

    async def read_reply(self, prompt: Prompt) -> ReplyMeaning:
        return (await self.fill(prompt, ReadReply)).reply

    async def plan(self, prompt: Prompt) -> Routing:
        turn = await self.fill(prompt, PlannedTurn)
        routing = turn.to_routing()
        if not routing.open_details:
            return routing
        draft = turn.model_dump_json(include=set(prompt.fields) or None, exclude_defaults=True)
        return replace(routing, draft=draft)

    async def fill_in(self, prompt: Prompt, routing: Routing) -> Routing:
        detail, *others = routing.open_details
        rest = replace(routing, open_details=tuple(others), draft=routing.draft if others else "")
        if detail == "clarification":
            question = await self._continue(prompt, routing, "N4_ask_back", PlannedClarification)
            return replace(rest, clarification=question.to_clarification())
        if detail == "past":
            past = await self._continue(prompt, routing, "N4_recall_past", AboutThePast)
            return replace(rest, past=past.to_question())
        wish = await self._continue(prompt, routing, "N4_name_forgotten", PlannedForgetting)
        return replace(rest, forget=wish.to_wish())

    async def _continue(
        self, prompt: Prompt, routing: Routing, request: str, form: type[Form]
    ) -> Form:
        """The form that a plan makes necessary, filled in as the plan's continuation."""
        longer_prompt = prompt.with_follow_up(disarm(routing.draft), render_prompt(request).user)
        return await self.fill(replace(longer_prompt, fields=frozenset()), form)
