"""How models are reached; loads no client of a model."""

from dataclasses import dataclass

import httpx2


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """Where models are served, over which connections, and how long an answer may take."""

    base_url: str
    api_key: str
    http: httpx2.AsyncClient
    timeout_s: float = 60.0
