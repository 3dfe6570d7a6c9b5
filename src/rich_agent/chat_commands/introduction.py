"""/start, /help and /privacy: what the bot is, what it can do by command, what it keeps."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from rich_agent.chat_commands.replies import CommandRequest, Handlers, Reply
from rich_agent.chat_commands.suggestions import question_buttons, subjects_to_try
from rich_agent.domain.access import Access
from rich_agent.domain.rights import Reader
from rich_agent.domain.text import clean_text
from rich_agent.phrases import say
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.rendering.notices import section, together, unlinked


@dataclass(frozen=True, slots=True)
class Introduction:
    """Answers /start, /help and /privacy; `unavailable` are commands that need more settings."""

    access: Access
    catalogue: SourceCatalogue
    unavailable: Collection[str] = ()

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"start": self.start, "help": self.help, "privacy": self.privacy})

    async def start(self, request: CommandRequest) -> Reply:
        """A greeting, with questions to try."""
        name = clean_text(request.user.first_name).strip()
        greeting = say(request.locale, "start-named" if name else "start", name=name)
        examples = question_buttons(await subjects_to_try(self.catalogue, Reader(request.user_id)))
        hint = [say(request.locale, "start-examples")] if examples else []
        return Reply(replace(unlinked("\n\n".join([greeting, *hint])), buttons=examples))

    async def help(self, request: CommandRequest) -> Reply:
        """Describe what the bot can do, with the commands that this user may use."""
        is_admin = self.access.is_admin(request.user_id)
        commands = describe(request.locale, is_admin=is_admin, unavailable=self.unavailable)
        lines = "\n".join(f"/{name} – {description}" for name, description in commands)
        return Reply(
            together(
                section(say(request.locale, "help-heading"), say(request.locale, "help")),
                section(say(request.locale, "help-commands"), lines),
            )
        )

    async def privacy(self, request: CommandRequest) -> Reply:
        """Describe what is stored, and how to see and delete it."""
        heading, kept = say(request.locale, "privacy-heading"), say(request.locale, "privacy")
        return Reply(section(heading, kept))


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
    "tools",
    "web",
    "connect",
    "disconnect",
    "files",
    "sources",
    "spaces",
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
IN_TELEGRAM_ONLY = frozenset(
    {
        "calendar",
        "connect",
        "export",
        "forget",
        "language",
        "spaces",
        "stop",
        "tokens",
        "voice",
        "web",
    }
)
"""Commands that do their work by Telegram's buttons and files, or have no use in the web chat."""
FOR_ADMINS = ("stats", "users", "allow", "deny", "broadcast", "approvals")
"""Other users do not see these in their menu, and are refused."""


def describe(
    locale: str, *, is_admin: bool, unavailable: Collection[str] = ()
) -> list[tuple[str, str]]:
    """(name, description) of the commands that a user can use, in the order of the menu."""
    names = (*FOR_ALL, *FOR_ADMINS) if is_admin else FOR_ALL
    return [(name, say(locale, f"command-{name}")) for name in names if name not in unavailable]


def describe_for_web(locale: str, unavailable: Collection[str] = ()) -> list[tuple[str, str]]:
    """(name, description) of the commands that work in the web chat, in the order of the menu."""
    return describe(locale, is_admin=False, unavailable=IN_TELEGRAM_ONLY.union(unavailable))
