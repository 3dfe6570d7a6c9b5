"""The core, for commands that a feature adds to `rich-agent`."""

from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from rich_agent.feature.core import Core
    from rich_agent.ports.models import Prompt
    from rich_agent.ports.turns import StoredTurn
    from rich_agent.settings.settings import Settings
    from rich_agent.turns.rehearsal import Rehearsal
    from rich_agent.upstreams.servers.output_shapes import ModelOutput

Form = TypeVar("Form", bound="ModelOutput")


class FormModel(Protocol):
    """A model that fills in forms."""

    async def fill(self, prompt: "Prompt", form: type[Form]) -> Form:
        """The filled-in form; malformed output is repaired once. Raises: UpstreamError."""
        ...


class Shell(Protocol):
    """Opens the core, the whole bot or a model for a command; the end of the block closes them."""

    def open_core(
        self, settings: "Settings", *, read_only: bool = False
    ) -> AbstractAsyncContextManager["Core"]:
        """The core, with open databases.

        With `read_only`, PostgreSQL itself refuses every write. Raises: DatabaseUnavailableError,
        SchemaError, SettingsError.
        """
        ...

    def open_rehearsal(
        self, settings: "Settings", *, photos_of: "StoredTurn | None" = None
    ) -> AbstractAsyncContextManager["Rehearsal"]:
        """The whole bot, for questions of no user; nothing is stored.

        The bot can look again at the photos of the turn `photos_of`. Raises: SettingsError.
        """
        ...

    def open_model(self, settings: "Settings") -> AbstractAsyncContextManager[FormModel]:
        """The planner's model. Raises: SettingsError if its key is missing."""
        ...
