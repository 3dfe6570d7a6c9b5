"""The planner: lets a chat model decide by structured output how to answer a turn."""

import re
from collections.abc import Sequence
from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from rich_agent.domain.message import ReplyMeaning
from rich_agent.domain.planned_calls import PlannedCall
from rich_agent.domain.retrieval.further_search import FurtherSearch
from rich_agent.domain.routing.clarification import MOST_CHOICES
from rich_agent.domain.routing.plan import (
    MOST_QUERIES,
    Clarification,
    ForgetWish,
    PastQuestion,
    Routing,
    WebUse,
)
from rich_agent.domain.tools import MOST_CALLS
from rich_agent.domain.vision import ImageQuestion
from rich_agent.ports.models import Prompt
from rich_agent.upstreams.models.forms import OpenAIFormModel
from rich_agent.upstreams.servers.output_shapes import ModelOutput, MostChars, MostItems

_TAG = re.compile(r"[A-Za-z][A-Za-z0-9-]{1,34}")
_QueryText = Annotated[str, MostChars(160)]
"""A search query."""
_Numbers = Annotated[list[int], MostItems(20)]
"""Numbers of entries that the prompt lists."""


_Name = Annotated[str, MostChars(64)]
"""The name of a tool or of one of its arguments."""


class PlannedClarification(ModelOutput):
    """A question that the user has to be asked first."""

    question: Annotated[str, MostChars(300)] = Field(
        description="One short, precise question in the user's language."
    )
    choices: Annotated[list[Annotated[str, MostChars(60)]], MostItems(MOST_CHOICES)] = Field(
        default_factory=list, description="The 2 to 5 likeliest answers, or none."
    )


class AboutThePast(ModelOutput):
    """Which earlier turns of the conversation the user asks about."""

    query: _QueryText = Field(
        default="",
        description="Their subject, and other words for it; empty when any subject is meant.",
    )
    order: Literal["nearest", "oldest", "newest"] = Field(
        default="nearest", description="`oldest` for the first ones, `newest` for the last."
    )
    since: date | None = Field(default=None, description="First day meant, YYYY-MM-DD.")
    until: date | None = Field(default=None, description="Last day meant, YYYY-MM-DD.")

    def to_question(self) -> PastQuestion:
        """Convert to a search in the archive."""
        return PastQuestion(self.query, self.order, self.since, self.until)


class PlannedForgetting(ModelOutput):
    """The wish to have something forgotten."""

    bare: ClassVar[str] = "what"

    scope: Literal["last", "subject", "everything"] = Field(
        default="subject",
        description="`last` for what they said just before, `everything` for all about them.",
    )
    what: Annotated[str, MostChars(200)] = Field(
        default="", description="The subject in the user's words: `my job`."
    )
    words: Annotated[list[Annotated[str, MostChars(40)]], MostItems(16)] = Field(
        default_factory=list,
        description="Single words that show an earlier message to be about it: its nouns and names "
        "in their forms, other words for it; no `my` or `about`.",
    )

    def to_wish(self) -> ForgetWish | None:
        """Convert to the domain type; None if the request names nothing to forget."""
        words = tuple(filter(None, map(str.strip, self.words)))
        what = self.what.strip()
        if self.scope == "subject" and not (what or words):
            return None
        return ForgetWish(self.scope, what, words)


class PlannedTurn(ModelOutput):
    """A plan for the answer."""

    may_be_cut: ClassVar[bool] = True

    intent: Annotated[str, MostChars(60)] = Field(
        description="One of the intents named in the instructions."
    )
    plan: Literal["direct", "rag", "web", "rag+web"]
    web: WebUse | None = Field(
        default=None, description="Whether the web may be searched for this message."
    )
    teaches: bool = Field(
        default=True,
        description="Whether the message tells something lasting about the user or their people, "
        "how they want to be answered, or a thing to do or done.",
    )
    action: bool = Field(
        default=False,
        description="Whether the message asks to do, change, plan or look up something by a tool.",
    )
    query: _QueryText = Field(
        default="", description="A standalone search query; empty when the plan is direct."
    )
    queries: Annotated[list[_QueryText], MostItems(MOST_QUERIES)] = Field(
        default_factory=list,
        description="Of a compound question, a standalone query for each part; else empty.",
    )
    described: Annotated[str, MostChars(120)] = Field(
        default="",
        description="What the question describes instead of naming, to be looked up first; mostly "
        "empty.",
    )
    clarification: PlannedClarification | None = Field(
        default=None, description="Only when the subject cannot be known."
    )
    new_request: bool = Field(
        default=False, description="Only after a question back: it was not answered."
    )
    about_the_past: AboutThePast | None = Field(
        default=None, description="Null unless the user asks what was said before."
    )
    forget: PlannedForgetting | None = Field(
        default=None, description="Null unless the user asks you to forget what they told or sent."
    )
    language: Annotated[str, MostChars(35)] = Field(
        default="",
        description="BCP 47 tag of the language to answer in: `en`, `de`, `zh`, `pt-BR`.",
    )
    leaves_session: bool = Field(
        default=False, description="Only in a guided session: the user wants to end or leave it."
    )
    image_question: Annotated[str, MostChars(300)] = Field(
        default="", description="What a further look at the images is to find out; else empty."
    )
    image_numbers: _Numbers = Field(
        default_factory=list, description="The images that it is about, from 1; empty for all."
    )
    files: _Numbers = Field(default_factory=list, description="The user's files that it is about.")
    whole_file: bool = Field(default=False, description="Whether all of these files counts.")
    spaces: _Numbers = Field(default_factory=list)
    # Last, because a small model may write without end.
    reason: Annotated[str, MostChars(120)] = Field(
        default="", description="One short sentence that the user may read, in their language."
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
        question, past_question = turn.clarification, turn.about_the_past
        image_question = turn.image_question.strip()
        return Routing(
            turn.intent,
            turn.plan,
            turn.reason,
            turn.query,
            tuple(turn.queries),
            Clarification(question.question, tuple(question.choices))
            if question and question.question.strip()
            else None,
            is_new_request=turn.new_request,
            past=past_question.to_question() if past_question else None,
            image_question=ImageQuestion(image_question, tuple(turn.image_numbers))
            if image_question
            else None,
            forget=turn.forget.to_wish() if turn.forget else None,
            web=turn.web,
            teaches=turn.teaches,
            acts=turn.action,
            files=tuple(turn.files),
            reads_whole=turn.whole_file,
            spaces=tuple(turn.spaces),
            leaves_session=turn.leaves_session,
            described=turn.described,
            language=turn.language if _TAG.fullmatch(turn.language) else "",
        )
