"""Learns from a server's refusals, and remembers the result for all calls and processes."""

import time
from dataclasses import dataclass, field

import structlog

from rich_agent.domain.capabilities import Capabilities, Step
from rich_agent.domain.model_role import ModelRole
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.models import CAPABILITIES_KEPT_DAYS, CapabilityStore
from rich_agent.runtime.surviving import survived

_RELOAD_S = 600.0
"""Seconds after which changes by other processes are seen at the latest."""
log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class LearnedCapabilities:
    """What is known about a model on a server; without a store, only for this process.

    These fields are only for this process in any case. `uses_responses`: whether the Responses API
    serves the model, None until one of the two APIs has refused it. `begins_inside`: it closes
    thoughts that it did not open. `has_two_roles`: its chat template only allows user and assistant
    in alternation, without a system message. `refuses_tools`: an answer cannot be asked for with
    tools.
    """

    server: str
    model: str
    store: CapabilityStore | None = None
    uses_responses: bool | None = None
    begins_inside: bool = False
    has_two_roles: bool = False
    refuses_tools: bool = False
    _known: Capabilities = field(default_factory=Capabilities)
    _loaded_at: float | None = None

    async def known(self) -> Capabilities:
        """What is known now; if the database is unavailable, what was known before."""
        lasts_s = _RELOAD_S if self.store else CAPABILITIES_KEPT_DAYS * 86_400
        if self._loaded_at is None or time.monotonic() > self._loaded_at + lasts_s:
            self._loaded_at = time.monotonic()
            with survived(
                "model_capabilities_not_loaded", DatabaseUnavailableError, level="warning"
            ):
                found = await self.store.load(self.server, self.model) if self.store else None
                self._known = found or Capabilities()
        return self._known

    async def give(self, step: Step) -> None:
        """Record that structured output succeeded in this way."""
        await self._learn(Capabilities(step, self._known.refused))

    async def lack(self, refused: frozenset[str], role: ModelRole) -> None:
        """Record parameters without which the server accepted a request that it had refused."""
        for name in sorted(refused - self._known.refused):
            setting = role.parameters_setting if name in role.parameters else None
            log.warning("model_refuses_parameter", name=name, model=self.model, setting=setting)
        await self._learn(Capabilities(self._known.step, self._known.refused | refused))

    async def _learn(self, learned: Capabilities) -> None:
        if learned == self._known:
            return
        self._known = learned
        if self.store:
            with survived(
                "model_capabilities_not_saved", DatabaseUnavailableError, level="warning"
            ):
                await self.store.save(self.server, self.model, learned)
