"""The commands that menus and /help list, in their order."""

from dataclasses import dataclass

from rich_agent.phrases import say

FIRST_FOR_ALL = ("start", "help", "new", "stop", "retry")
"""Commands that stand before those of features; the core's others stand after these."""
FOR_ALL = (
    *FIRST_FOR_ALL,
    "tools",
    "files",
    "sources",
    "spaces",
    "why",
    "memory",
    "timezone",
    "status",
    "language",
    "privacy",
    "export",
    "forget",
)
IN_TELEGRAM_ONLY = frozenset(
    {
        "export",
        "forget",
        "language",
        "spaces",
        "stop",
    }
)
"""Commands that do their work by Telegram's buttons and files, or have no use elsewhere."""
IN_GROUPS = frozenset({"files", "memory", "sources", "status"})
"""Commands that users may type in groups: they only show, and nobody else sees what."""
FOR_ADMINS = ("stats", "approvals")
"""Other users do not see these in their menu, and are refused."""


@dataclass(frozen=True, slots=True)
class Menu:
    """The commands of this bot: those of its features among the core's.

    Commands that are `unavailable` with the bot's settings are left out. The text after a `secret`
    command is a secret of the user. Those `in_groups` may be typed in groups, too, where they are
    answered to their user alone. `help_phrases` are keys of further lines for /help, which tell
    what the bot can do with its features.
    """

    for_all: tuple[str, ...] = FOR_ALL
    for_admins: tuple[str, ...] = FOR_ADMINS
    in_telegram_only: frozenset[str] = IN_TELEGRAM_ONLY
    unavailable: frozenset[str] = frozenset()
    secret: frozenset[str] = frozenset()
    in_groups: frozenset[str] = IN_GROUPS
    help_phrases: tuple[str, ...] = ()

    def describe(self, locale: str, *, is_admin: bool) -> list[tuple[str, str]]:
        """Pairs of name and description of the commands for a user, in the order of the menu."""
        command_names = (*self.for_all, *self.for_admins) if is_admin else self.for_all
        return [
            (name, say(locale, f"command-{name}"))
            for name in command_names
            if name not in self.unavailable
        ]

    def describe_in_groups(self, locale: str) -> list[tuple[str, str]]:
        """Pairs of name and description of the commands for groups."""
        commands = self.describe(locale, is_admin=False)
        return [one for one in commands if one[0] in self.in_groups]

    def describe_elsewhere(self, locale: str) -> list[tuple[str, str]]:
        """(name, description) of the commands that work outside Telegram."""
        commands = self.describe(locale, is_admin=False)
        return [one for one in commands if one[0] not in self.in_telegram_only]


CORE_MENU = Menu()
