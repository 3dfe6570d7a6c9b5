"""Upstreams whose planner says of each question what a good model would, from what it is shown."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from typing_extensions import override

from bench.hops.pages import Hop
from bench.instant import Instant, completion, replied

_PASSAGE = re.compile(r"<passage n=\"(\d+)\"[^>]*>(.*?)</passage>", re.DOTALL)


@dataclass(slots=True)
class Truthful(Instant):
    """Plans every question for the documents, and answers with whatever it read.

    What is wanted is told by the names in the schema of the request, as a server sees it. With
    `sees_descriptions` the plan of a question says that it describes something. After the passages
    it names what they name, and asks for no more once they say it. `further` counts these calls,
    `read` has the passages of the answer to each question.
    """

    hops: Sequence[Hop] = ()
    sees_descriptions: bool = True
    further: int = 0
    read: dict[str, list[str]] = field(default_factory=dict)

    @override
    async def chat(self, request: Request) -> Response:
        """A plan, a further search, another form left empty, or the answer."""
        body = await request.json()
        said = "\n".join(str(message["content"]) for message in body["messages"])
        if body.get("stream"):
            self.read[_asked(said)] = [text for _, text in _PASSAGE.findall(said)]
            return StreamingResponse(_answer(), media_type="text/event-stream")
        hop = next((one for one in self.hops if one.question == _asked(said)), None)
        names = _property_names(body)
        if "intent" in names:
            return JSONResponse(replied(self._planned(hop, said)))
        if "goes_on" in names and hop:
            self.further += 1
            return JSONResponse(replied(_wanted(hop, said)))
        return JSONResponse(replied({}))

    def _planned(self, hop: Hop | None, said: str) -> dict[str, Any]:
        return {
            "intent": "general_question",
            "plan": "rag",
            "web": "never",
            "query": _asked(said),
            "language": "en",
            "reason": "bench",
            "described": hop.step1 if hop and self.sees_descriptions else "",
        }


def _asked(said: str) -> str:
    return html.unescape(said.rpartition("<question>")[2].partition("</question>")[0])


def _wanted(hop: Hop, said: str) -> dict[str, Any]:
    """The useful passages and the next query, by what the passages say."""
    passages = {int(n): text for n, text in _PASSAGE.findall(said)}
    naming = [n for n, text in passages.items() if _holds(text, hop.bridge)]
    saying = [n for n, text in passages.items() if _holds(text, hop.answer)]
    if naming and saying:
        return {"useful": [*naming[:2], *saying[:1]]}
    if naming and f"<searched>{hop.step2}</searched>" in said:
        near = [n for n in passages if n not in naming]
        return {"useful": naming[:1], "around": near[:2]}
    if naming:
        return {"useful": naming[:2], "queries": [hop.step2]}
    return {"useful": saying[:1], "queries": [hop.step1], "goes_on": True}


def _holds(text: str, said: str) -> bool:
    return said.casefold() in " ".join(text.split()).casefold()


def _property_names(body: dict[str, Any]) -> set[str]:
    """The names of the form that is to be filled, {} for a request without one."""
    wanted = (body.get("response_format") or {}).get("json_schema", {}).get("schema", {})
    return set(wanted.get("properties", {}))


async def _answer() -> Any:  # noqa: ANN401 - an async iterator of bytes
    yield completion("It is said there [1]. That is all of it.", "stop")
    yield b"data: [DONE]\n\n"
