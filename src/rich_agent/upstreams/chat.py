"""The chat model and what is built on it: planning and memory, by structured output."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import date
from typing import Literal

import httpx2
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, Field, SecretStr, field_validator, model_validator

from rich_agent.domain.past import PastQuestion
from rich_agent.domain.plan import Clarification, Routing
from rich_agent.domain.text import clean_text
from rich_agent.domain.vision import ImageQuestion
from rich_agent.errors import (
    BrokenAnswerError,
    EmptyCompletionError,
    UpstreamTimeoutError,
    UpstreamUnavailableError,
)
from rich_agent.ports.upstreams import Prompt
from rich_agent.upstreams.metered_chat import MeteredChatOpenAI
from rich_agent.upstreams.openai_errors import translate_openai_errors
from rich_agent.upstreams.structured import ask_structured


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Where models are served, over which connections, and how long an answer may take."""

    base_url: str
    api_key: str
    http: httpx2.AsyncClient
    timeout_s: float = 60.0

    def open(self, model: str) -> MeteredChatOpenAI:
        """A client for one model; it does not retry by itself, and charges what it uses."""
        return MeteredChatOpenAI(
            model=model,
            base_url=self.base_url,
            api_key=SecretStr(self.api_key),
            timeout=self.timeout_s,
            max_retries=0,
            http_async_client=self.http,
        )


def to_messages(prompt: Prompt) -> list[BaseMessage]:
    """The prompt in the order in which a chat model reads it."""
    history = [
        AIMessage(text) if role == "assistant" else HumanMessage(text)
        for role, text in prompt.history
    ]
    return [SystemMessage(prompt.system), *history, HumanMessage(prompt.user)]


class OpenAIChatModel:
    """Implements `ChatModel`."""

    def __init__(self, access: ModelAccess, model: str) -> None:
        self._access = access
        self._client = access.open(model)

    async def stream(self, prompt: Prompt) -> AsyncIterator[str]:
        """See `ChatModel.stream`."""
        begun = ended = False
        try:
            with translate_openai_errors(
                "model", model_setting="CHAT_MODEL", timeout_s=self._access.timeout_s
            ):
                async for chunk in self._client.astream(to_messages(prompt)):
                    ended = ended or bool(chunk.response_metadata.get("finish_reason"))
                    if piece := str(chunk.text):
                        begun = True
                        yield piece
        except (UpstreamUnavailableError, UpstreamTimeoutError) as error:
            if begun:
                raise BrokenAnswerError("model", f"the answer broke off ({error})") from error
            raise
        if not ended:
            raise BrokenAnswerError("model", "the answer broke off before its end")


class PlannedClarification(BaseModel):
    """What the user has to be asked before anything can be answered."""

    question: str = Field(description="One short, precise question in the user's language.")
    choices: list[str] = Field(
        default_factory=list, description="The 2 to 5 likeliest answers, or none."
    )


class AboutThePast(BaseModel):
    """Which earlier turns of the conversation the user asks about."""

    query: str = Field(default="", description="Their subject; empty when any subject is meant.")
    order: Literal["nearest", "oldest", "newest"] = Field(
        default="nearest", description="`oldest` for the first ones, `newest` for the last."
    )
    since: date | None = Field(default=None, description="First day meant, YYYY-MM-DD.")
    until: date | None = Field(default=None, description="Last day meant, YYYY-MM-DD.")

    @field_validator("since", "until", mode="before")
    @classmethod
    def drop_what_is_no_day(cls, value: object) -> object:
        """A day that cannot be read is no reason to refuse the plan."""
        try:
            return date.fromisoformat(str(value)[:10])
        except ValueError:
            return None

    def to_question(self) -> PastQuestion:
        """What the archive is searched for."""
        return PastQuestion(clean_text(self.query), self.order, self.since, self.until)


class PlannedTurn(BaseModel):
    """How to answer the user's message."""

    intent: str = Field(description="One of the intents named in the instructions.")
    plan: Literal["direct", "rag", "web", "rag+web"]
    query: str = Field(description="A standalone search query; empty when the plan is direct.")
    queries: list[str] = Field(
        default_factory=list,
        description="Of a compound question, a standalone query for each part; else empty.",
    )
    reason: str = Field(description="One short sentence.")
    clarification: PlannedClarification | None = Field(
        default=None, description="Only when the subject cannot be known."
    )
    new_request: bool = Field(
        default=False, description="Only after a question back: it was not answered."
    )
    about_the_past: AboutThePast | None = Field(
        default=None, description="Null unless the user asks what was said before."
    )
    image_question: str = Field(
        default="", description="What a further look at the images is to find out; else empty."
    )
    image_numbers: list[int] = Field(
        default_factory=list, description="The images that it is about, from 1; empty for all."
    )

    @model_validator(mode="before")
    @classmethod
    def _read_leniently(cls, given: object) -> object:
        """Small models write null for what they leave out, and one query as a text."""
        if not isinstance(given, dict):
            return given
        told: dict[str, object] = {"query": "", "reason": ""}
        told |= {name: value for name, value in given.items() if value is not None}
        queries = told.get("queries", [])
        return {**told, "queries": [queries] if isinstance(queries, str) else queries}


class OpenAIPlanner:
    """Implements `Planner`."""

    def __init__(self, access: ModelAccess, model: str) -> None:
        self._access = access
        self._client = access.open(model)

    async def plan(self, prompt: Prompt) -> Routing:
        """See `Planner.plan`."""
        with translate_openai_errors(
            "model", model_setting="PLANNER_MODEL", timeout_s=self._access.timeout_s
        ):
            found = await ask_structured(self._client, to_messages(prompt), PlannedTurn)
        asked, past = found.clarification, found.about_the_past
        seen = clean_text(found.image_question).strip()
        return Routing(
            found.intent,
            found.plan,
            clean_text(found.reason),
            clean_text(found.query),
            tuple(map(clean_text, found.queries)),
            Clarification(clean_text(asked.question), tuple(map(clean_text, asked.choices)))
            if asked
            else None,
            is_new_request=found.new_request,
            past=past.to_question() if past else None,
            image_question=ImageQuestion(seen, tuple(found.image_numbers)) if seen else None,
        )


class OpenAISummarizer:
    """Implements `Summarizer`."""

    def __init__(self, access: ModelAccess, model: str) -> None:
        self._access = access
        self._client = access.open(model)

    async def summarize(self, prompt: Prompt) -> str:
        """See `Summarizer.summarize`."""
        with translate_openai_errors(
            "model", model_setting="PLANNER_MODEL", timeout_s=self._access.timeout_s
        ):
            reply = await self._client.ainvoke(to_messages(prompt))
        summary = clean_text(str(reply.text)).strip()
        if not summary:
            raise EmptyCompletionError("model", "the summary was empty")
        return summary
