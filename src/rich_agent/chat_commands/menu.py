"""The commands by name, as /help and the menu of Telegram list them."""

from rich_agent.phrases import say

FOR_ALL = (
    "start",
    "help",
    "new",
    "stop",
    "retry",
    "tasks",
    "today",
    "notes",
    "calendar",
    "tokens",
    "web",
    "connect",
    "disconnect",
    "files",
    "sources",
    "why",
    "memory",
    "plan",
    "review",
    "brainstorm",
    "session",
    "cancel",
    "reminders",
    "timezone",
    "status",
    "language",
    "voice",
    "privacy",
    "export",
    "forget",
)
FOR_ADMINS = ("stats", "users", "allow", "deny", "broadcast", "approvals")
"""Other users do not see these in their menu, and are refused."""


def describe(locale: str, *, is_admin: bool) -> list[tuple[str, str]]:
    """(name, description) of the commands that a user may use, in the order of the menu."""
    names = (*FOR_ALL, *FOR_ADMINS) if is_admin else FOR_ALL
    return [(name, say(locale, f"command-{name}")) for name in names]
