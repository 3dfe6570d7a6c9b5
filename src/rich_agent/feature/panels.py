"""Panels: what users see and change on pages of their own, such as their tasks.

A panel is data. A feature that shows pages gives it its form, calls the tools of its buttons and
forms, and offers to take back what they did. The labels of fields are the phrases of arguments.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rich_agent.errors import RichAgentError
from rich_agent.ports.accounts import Account
from rich_agent.times import Clocks
from rich_agent.tools.tool import Tool

FieldKind = Literal["text", "long", "date", "time", "moment", "number", "choice"]
Choices = Sequence[tuple[str, str]]
"""Values that can be chosen, and their labels."""
MOST_ROWS = 50
"""Most rows of one part of a list; the next part begins behind the last one."""


@dataclass(frozen=True, slots=True)
class PanelRequest:
    """A request of a user to see a panel."""

    user_id: int
    clocks: Clocks
    account: Account = field(default_factory=Account)
    query: Mapping[str, str] = field(default_factory=dict)
    """Fields of the address, such as "after", the place behind which the list goes on."""

    @property
    def locale(self) -> str:
        """The language of the page."""
        return self.clocks.locale


@dataclass(frozen=True, slots=True)
class PanelButton:
    """A button that calls a tool of the panel."""

    label: str
    tool: str
    arguments: Mapping[str, object] = field(default_factory=dict)
    is_final: bool = False
    """Whether the user is asked first, because the change cannot be taken back."""


@dataclass(frozen=True, slots=True)
class PanelField:
    """A field of a form; its name is that of the tool's argument."""

    name: str
    value: str = ""
    kind: FieldKind = "text"
    choices: Choices = ()
    is_required: bool = False
    most: int = 300
    """Most characters of a text, or the largest number."""
    label: str = ""
    """The label if it is not the phrase of the argument."""


@dataclass(frozen=True, slots=True)
class PanelForm:
    """A form that calls a tool of the panel with its fields."""

    label: str
    tool: str
    fields: Sequence[PanelField]
    arguments: Mapping[str, object] = field(default_factory=dict)
    """Arguments that the form does not show."""
    is_move: bool = False
    """Whether the row of the form can be dragged to a `PanelSlot`, which fills in the form."""


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A row of a list."""

    key: str
    """The name of the row on its page."""
    text: str
    details: Sequence[str] = ()
    body: str = ""
    """A longer text, which is shown when the row is opened."""
    buttons: Sequence[PanelButton] = ()
    forms: Sequence[PanelForm] = ()
    """Forms that are shown when the row is opened."""
    time: str = ""
    """The time of the row, before its text."""


@dataclass(frozen=True, slots=True)
class PanelSlot:
    """A place between rows to which a row can be dragged, with the values for the row's form."""

    time: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PanelGroup:
    """Rows with a heading of their own, "" for the rows of the whole panel."""

    rows: Sequence[PanelRow | PanelSlot]
    heading: str = ""
    key: str = "rows"
    """The name of the group on its page."""


@dataclass(frozen=True, slots=True)
class PanelLink:
    """A link to the same page with other fields of the address, or to a file."""

    label: str
    query: Mapping[str, str]
    is_current: bool = False


@dataclass(frozen=True, slots=True)
class PanelContent:
    """The content of a panel."""

    groups: Sequence[PanelGroup] = ()
    sentences: Sequence[str] = ()
    """Sentences above the rows, such as what to do where there are none."""
    forms: Sequence[PanelForm] = ()
    buttons: Sequence[PanelButton] = ()
    links: Sequence[PanelLink] = ()
    following: str = ""
    """The `after` of the next part of the list, "" at its end."""


class PanelRefusedError(RichAgentError):
    """A refusal, as a sentence for the user."""


@dataclass(frozen=True, slots=True)
class PanelSecret:
    """A text that is shown once and kept nowhere, and a sentence about it."""

    sentence: str
    text: str


MakeSecret = Callable[[PanelRequest, Mapping[str, str]], Awaitable[PanelSecret]]
"""Makes a secret, given the fields of the form. Raises: PanelRefusedError."""
ComposePanel = Callable[[PanelRequest], Awaitable[PanelContent]]
"""Reads what a panel shows; it has three seconds. Raises: DatabaseUnavailableError."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A part of the pages of a user."""

    name: str
    """The word of the panel in addresses."""
    heading: str
    """Key of the phrase that names the panel."""
    compose: ComposePanel
    tools: Sequence[Tool] = ()
    """Tools that its buttons and forms call; their `done` is shown, and their `undo` offered."""
    secrets: Mapping[str, MakeSecret] = field(default_factory=dict, hash=False)
    """Functions for buttons and forms whose answer is a secret, by names as of tools."""
    page: str = ""
    """Word of the page that shows the panel, such as "today", "devices" or "settings"; "" for a
    page of its own."""
    order: int = 50
    """Place among the panels, the smallest first."""
