"""Learns a server's capabilities from its refusals, for all calls and processes."""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import httpx2
import structlog

from rich_agent.domain.access import UserTags
from rich_agent.domain.model_role import Capabilities, ModelRole, Step
from rich_agent.domain.model_speed import SpeedRecord
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.ports.models import CAPABILITIES_KEPT_DAYS, CapabilityStore
from rich_agent.runtime.concurrency import survived

_RELOAD_S = 600.0
"""The longest time in seconds until changes by other processes are noticed."""
_CALLS_KEPT = 64
log = structlog.get_logger()


@dataclass(slots=True, eq=False)
class LearnedCapabilities:
    """The known capabilities of a model on a server; without a store, only for this process.

    These fields are kept only for this process in any case:
    `uses_responses`: whether the Responses API serves the model, None until one of the two APIs has
        refused the model.
    `begins_inside`: the model closes thoughts that it did not open.
    `has_two_roles`: the chat template only allows user and assistant in alternation, without a
        system message.
    `refuses_tools`: the server refuses requests for an answer that come with tools.
    `refuses_bound_objects`: the server's JSON mode takes no schema.
    `refuses_bounds`: the server takes no schema that bounds texts and lists.
    `sends_whole`: the server has sent one JSON object where a stream was asked for.
    `reports_cache_writes`: the server has counted what it wrote to a cache of prompts.
    `window`: the context window in tokens, None if unknown.
    `speed`: the model's last calls, with their times.
    """

    server: str
    model: str
    store: CapabilityStore | None = None
    uses_responses: bool | None = None
    begins_inside: bool = False
    has_two_roles: bool = False
    refuses_tools: bool = False
    refuses_bound_objects: bool = False
    refuses_bounds: bool = False
    sends_whole: bool = False
    reports_cache_writes: bool = False
    window: int | None = None
    speed: SpeedRecord = field(default_factory=SpeedRecord)
    _capabilities: Capabilities = field(default_factory=Capabilities)
    _loaded_at: float | None = None
    _endings: deque[str] = field(default_factory=lambda: deque(maxlen=_CALLS_KEPT))

    @property
    def last_known(self) -> Capabilities:
        """The capabilities as of the last look-up."""
        return self._capabilities

    def saw_whole(self) -> None:
        """Record that the server sends a whole answer instead of a stream."""
        self.sends_whole = True

    async def known(self) -> Capabilities:
        """The current capabilities; if the database is unavailable, those known before."""
        validity_s = _RELOAD_S if self.store else CAPABILITIES_KEPT_DAYS * 86_400
        if self._loaded_at is None or time.monotonic() > self._loaded_at + validity_s:
            self._loaded_at = time.monotonic()
            with survived(
                "model_capabilities_not_loaded", DatabaseUnavailableError, level="warning"
            ):
                stored_capabilities = (
                    await self.store.load(self.server, self.model) if self.store else None
                )
                self._capabilities = stored_capabilities or Capabilities()
        return self._capabilities

    async def give(self, step: Step) -> None:
        """Record the step with which structured output succeeded."""
        await self.learn(lambda capabilities: replace(capabilities, step=step))

    async def learn(
        self, change: Callable[[Capabilities], Capabilities], role: ModelRole | None = None
    ) -> None:
        """Record a change of the capabilities that a request has shown.

        With a `role`, parameters that its server refuses or demands are logged.
        """
        changed_capabilities = change(self._capabilities)
        if changed_capabilities == self._capabilities:
            return
        if role is not None:
            self._tell(changed_capabilities, role)
        self._capabilities = changed_capabilities
        if self.store:
            with survived(
                "model_capabilities_not_saved", DatabaseUnavailableError, level="warning"
            ):
                await self.store.save(self.server, self.model, changed_capabilities)

    def _tell(self, changed: Capabilities, role: ModelRole) -> None:
        for name in sorted(changed.refused - self._capabilities.refused):
            setting = role.parameters_setting if name in role.parameters else None
            log.warning("model_refuses_parameter", name=name, model=self.model, setting=setting)
        for name, value in sorted(changed.demanded.items()):
            if name not in self._capabilities.demanded:
                facts = {"name": name, "value": value, "setting": role.parameters_setting}
                log.warning("model_demands_parameter", model=self.model, **facts)

    async def accept_end(self, call_hash: str) -> bool:
        """Whether a stream that was closed without an end mark is complete.

        `call_hash` identifies the call. If the model's streams usually end with a mark, this one
        was cut. If that is not known yet, the first such end may be a cut. If the same call ends
        without a mark again, the server is assumed to send none.
        """
        capabilities = await self.known()
        if capabilities.marks_ends is None:
            if call_hash not in self._endings:
                self._endings.append(call_hash)
                return False
            log.warning("model_marks_no_ends", model=self.model)
            await self.learn(lambda capabilities: replace(capabilities, marks_ends=False))
        return not self._capabilities.marks_ends


@dataclass(frozen=True, slots=True)
class ModelAccess:
    """A model in one role: its connections and its capabilities.

    `cache_tags` make the keys of users' prompts, None for no keys.
    """

    role: ModelRole
    http: httpx2.AsyncClient
    capabilities: LearnedCapabilities
    cache_tags: UserTags | None = None

    def to(self, model: str) -> "ModelAccess":
        """Access to another model in the same role, of whose capabilities nothing is known yet."""
        if model == self.role.model:
            return self
        capabilities = LearnedCapabilities(self.role.server, model, self.capabilities.store)
        role = replace(self.role, model=model)
        return ModelAccess(role, self.http, capabilities, self.cache_tags)
