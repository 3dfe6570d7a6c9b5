"""How models are reached, and what they showed of themselves; loads no client of a model."""

from dataclasses import dataclass, replace

import httpx2

from rich_agent.domain.model_role import ModelRole
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """A model in one role, and over which connections it is reached, and what it can do."""

    role: ModelRole
    http: httpx2.AsyncClient
    capabilities: LearnedCapabilities

    def to(self, model: str) -> "ModelAccess":
        """The access to another model in the same role, of which nothing is known yet."""
        if model == self.role.model:
            return self
        learned = LearnedCapabilities(self.role.server, model, self.capabilities.store)
        return ModelAccess(replace(self.role, model=model), self.http, learned)
