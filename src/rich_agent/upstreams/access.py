"""How models are reached, and what they showed of themselves; loads no client of a model."""

from dataclasses import dataclass

import httpx2

from rich_agent.model_role import ModelRole
from rich_agent.upstreams.capabilities import LearnedCapabilities


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """A model in one role, and over which connections it is reached, and what it can do."""

    role: ModelRole
    http: httpx2.AsyncClient
    capabilities: LearnedCapabilities
