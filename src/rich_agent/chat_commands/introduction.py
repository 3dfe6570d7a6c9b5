"""/start, /help and /privacy: what the bot is, what it can do by command, what it keeps."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rich_agent.chat_commands.menu import CORE_MENU, Menu
from rich_agent.chat_commands.replies import CommandRequest, Handlers, Reply
from rich_agent.chat_commands.suggestions import question_buttons, subjects_to_try
from rich_agent.domain.access import Access
from rich_agent.domain.persona import FirstWords
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import Domain
from rich_agent.domain.text import clean_text
from rich_agent.phrases import say
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.ports.personas import PersonaOf, no_persona
from rich_agent.rendering.notices import section, together, unlinked


@dataclass(frozen=True, slots=True)
class Introduction:
    """Answers /start, /help and /privacy."""

    access: Access
    catalogue: SourceCatalogue
    domain: Callable[[], Domain]
    menu: Menu = CORE_MENU
    persona_of: PersonaOf = no_persona
    privacy_phrases: Sequence[str] = ()
    """Keys of phrases of features that /privacy says after the core's."""

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"start": self.start, "help": self.help, "privacy": self.privacy})

    async def start(self, request: CommandRequest) -> Reply:
        """A greeting, with questions to try: the persona's, else the product's."""
        name = clean_text(request.user.first_name).strip()
        greeting = say(request.locale, "start-named" if name else "start", name=name)
        reader = Reader(request.user_id)
        persona = await self.persona_of(reader)
        opening = persona.opening_in(request.locale) if persona else FirstWords()
        greeting = opening.greeting or greeting
        subjects = opening.starters or await subjects_to_try(self.domain(), self.catalogue, reader)
        examples = question_buttons(subjects)
        hint = [say(request.locale, "start-examples")] if examples else []
        return Reply(replace(unlinked("\n\n".join([greeting, *hint])), buttons=examples))

    async def help(self, request: CommandRequest) -> Reply:
        """Describe what the bot can do, with the commands that this user may use."""
        is_admin = self.access.is_admin(request.user_id)
        commands = self.menu.describe(request.locale, is_admin=is_admin)
        command_list = "\n".join(f"/{name} – {description}" for name, description in commands)
        abilities = [say(request.locale, key) for key in ("help", *self.menu.help_phrases)]
        return Reply(
            together(
                section(say(request.locale, "help-heading"), *abilities),
                unlinked(say(request.locale, "help-end")),
                section(say(request.locale, "help-commands"), command_list),
            )
        )

    async def privacy(self, request: CommandRequest) -> Reply:
        """Describe what is stored, and how to see and delete it."""
        texts = [say(request.locale, key) for key in ("privacy", *self.privacy_phrases)]
        return Reply(section(say(request.locale, "privacy-heading"), "\n\n".join(texts)))
