"""LM Studio and llama.cpp's router that download models, by their documentation."""

from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

_TOTAL = 2_279_145_003


@dataclass(eq=False)
class LMStudioJobs:
    """`/api/v1/models/download` and its status. Source: LM Studio, "Download a model"."""

    refusal: int = 0
    fails: bool = False
    _looks: int = 0
    _done: set[str] = field(default_factory=set)

    def app(self) -> Starlette:
        """The server."""
        path = "/api/v1/models/download"
        return Starlette(
            routes=[
                Route(path, self._download, methods=["POST"]),
                Route(f"{path}/status/{{job}}", self._status),
                Route("/api/v0/models", self._models),
            ]
        )

    async def _models(self, _: Request) -> Response:
        return JSONResponse({"object": "list", "data": []})

    async def _download(self, request: Request) -> Response:
        model = (await request.json())["model"]
        if self.refusal:
            return JSONResponse({"error": {"message": "refused"}}, self.refusal)
        if model in self._done and not self.fails:
            return JSONResponse({"status": "already_downloaded"})
        self._looks = 0
        self._done.add(model)
        return JSONResponse(self._job("downloading", 948))

    async def _status(self, _: Request) -> Response:
        self._looks += 1
        if self.fails:
            return JSONResponse(self._job("failed", 948))
        if self._looks < 3:
            return JSONResponse(self._job("downloading", 948 * (self._looks + 1)))
        return JSONResponse(self._job("completed", _TOTAL))

    def _job(self, status: str, done: int) -> dict[str, Any]:
        job = {"job_id": "job_493c7c9ded", "status": status, "downloaded_bytes": done}
        return {**job, "total_size_bytes": _TOTAL, "started_at": "2025-10-03T15:33:23.496Z"}


@dataclass(eq=False)
class LlamaRouter:
    """`/models` in router mode. Source: llama.cpp, tools/server/README.md."""

    models: dict[str, str] = field(default_factory=dict)
    unloaded: list[str] = field(default_factory=list)
    refusal: str = ""
    fails: bool = False
    _looks: int = 0

    def app(self) -> Starlette:
        """The server."""
        return Starlette(
            routes=[
                Route("/props", self._props),
                Route("/models", self._list),
                Route("/v1/models", self._list),
                Route("/models", self._download, methods=["POST"]),
                Route("/models/unload", self._unload, methods=["POST"]),
            ]
        )

    async def _props(self, _: Request) -> Response:
        settings = {"params": {}, "n_ctx": 0}
        return JSONResponse({"role": "router", "default_generation_settings": settings})

    async def _list(self, request: Request) -> Response:
        if "reload" in request.query_params and self.fails:
            self.models.clear()
        data = [{"id": name, "object": "model", "status": self._look(name)} for name in self.models]
        return JSONResponse({"object": "list", "data": data})

    def _look(self, name: str) -> dict[str, Any]:
        if self.models[name] != "downloading":
            return {"value": self.models[name]}
        self._looks += 1
        if self._looks > 2:
            self.models[name] = "unloaded"
        progress = {"https://hub/a.gguf": {"done": 1_000 * self._looks, "total": 4_000}}
        return {"value": "downloading", "progress": progress}

    async def _download(self, request: Request) -> Response:
        if self.refusal:
            error = {"code": 400, "message": self.refusal, "type": "invalid_request_error"}
            return JSONResponse({"error": error}, 400)
        self._looks = 0
        self.models[(await request.json())["model"]] = "downloading"
        return JSONResponse({"success": True})

    async def _unload(self, request: Request) -> Response:
        name = (await request.json())["model"]
        self.unloaded.append(name)
        self.models.pop(name, None)
        return JSONResponse({"success": True})
