"""The claims of `claims.jsonl`, and upstreams whose model writes and judges them truthfully."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from typing_extensions import override

from bench.instant import Instant, completion, planned, replied, wants_check
from rich_agent.domain.text import estimate_tokens
from rich_agent_sandbox.model.prompt import Prompt, read_prompt

Judge = Literal["truthful", "credulous", "empty", "malformed", "silent"]
SILENCE_S = 60.0
CLAIMS = Path(__file__).with_name("claims.jsonl")


@dataclass(frozen=True, slots=True)
class Claim:
    """An answer to a question; `passage` stands in the passage that supports or contradicts it.

    Of an invention it stands in the passage that is cited for it.
    """

    language: str
    kind: str
    verdict: Literal["supported", "contradicted", "unsupported"]
    question: str
    answer: str
    passage: str

    @property
    def is_true(self) -> bool:
        """Whether the documents say so."""
        return self.verdict == "supported"


def load() -> list[Claim]:
    """All claims, in the order of the file."""
    return [Claim(**json.loads(line)) for line in CLAIMS.read_text("utf-8").splitlines()]


@dataclass(slots=True)
class Truthful(Instant):
    """Writes the answer of each question, insists on it, and says of it what the data say.

    `checks` are the tokens of each check: those of its prompt and form, and those of its reply.
    As a `judge`, it may also say of every answer that the passage supports it, or give an object
    without lists, prose, or nothing for `SILENCE_S`.
    """

    claims: Sequence[Claim] = field(default_factory=load)
    checks: list[tuple[int, int]] = field(default_factory=list)
    judge: Judge = "truthful"

    @override
    async def chat(self, request: Request) -> Response:
        """A plan, an answer or a check."""
        body = await request.json()
        prompt = read_prompt(body["messages"])
        asked = json.dumps(body["messages"], ensure_ascii=False)
        claim = next(one for one in self.claims if one.question in asked)
        if body.get("stream"):
            return StreamingResponse(_written(claim, prompt), media_type="text/event-stream")
        if wants_check(body):
            return await self._judged(claim, prompt, body)
        if "no_claim" in json.dumps(body):
            # The form in other ways, which the bot tries after prose.
            return JSONResponse(replied("I cannot say."))
        return JSONResponse(replied(planned("rag", claim.question, claim.language)))

    async def _judged(self, claim: Claim, prompt: Prompt, body: Mapping[str, Any]) -> Response:
        """The judgement, or the failure, of the chosen judge."""
        told = self._check(claim, prompt, body)
        if self.judge == "silent":
            await asyncio.sleep(SILENCE_S)
        failures: dict[Judge, Any] = {"empty": {}, "malformed": "All of it seems fine."}
        return JSONResponse(replied(failures.get(self.judge, told)))

    def _check(self, claim: Claim, prompt: Prompt, body: Mapping[str, Any]) -> dict[str, Any]:
        told: dict[str, Any] = {
            kind: [] for kind in ("supported", "contradicted", "unsupported", "no_answer")
        }
        told["no_claim"] = [one.number for one in prompt.entries if one.text != claim.answer]
        verdict = "supported" if self.judge == "credulous" else claim.verdict
        for entry in prompt.entries:
            if entry.text == claim.answer and verdict == "unsupported":
                told["unsupported"].append(entry.number)
            elif entry.text == claim.answer:
                passages = _with_passage(claim, prompt)
                told[verdict].append({"sentence": entry.number, "passages": passages})
        sent = json.dumps([body["messages"], body["response_format"]], ensure_ascii=False)
        self.checks.append((estimate_tokens(sent), estimate_tokens(json.dumps(told))))
        return told


def _with_passage(claim: Claim, prompt: Prompt) -> list[int]:
    return [one.number for one in prompt.passages if claim.passage in one.text]


async def _written(claim: Claim, prompt: Prompt) -> Any:  # noqa: ANN401 - an async iterator of bytes
    marks = "".join(f"[{number}]" for number in _with_passage(claim, prompt)[:1])
    yield completion(f"{claim.answer} {marks}")
    yield completion("", "stop")
    yield b"data: [DONE]\n\n"
