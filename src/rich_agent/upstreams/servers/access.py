"""Access to models, and what is known about them; does not load a model client."""

from dataclasses import dataclass, replace

import httpx2

from rich_agent.domain.model_role import ModelRole
from rich_agent.upstreams.servers.capabilities import LearnedCapabilities


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """A model in one role: its connections, and what it can do."""

    role: ModelRole
    http: httpx2.AsyncClient
    capabilities: LearnedCapabilities

    def to(self, model: str) -> "ModelAccess":
        """The access to another model in the same role, with nothing learned yet."""
        if model == self.role.model:
            return self
        learned = LearnedCapabilities(self.role.server, model, self.capabilities.store)
        return ModelAccess(replace(self.role, model=model), self.http, learned)
