"""/status: what the bot is doing for the asker, and whether it is well."""

from dataclasses import dataclass
from importlib.metadata import version

from rich_agent.account_ports import SourceCatalogue, Workload
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say
from rich_agent.telegram.commands.registry import Asked, CommandSpec, Reply
from rich_agent.telegram.commands.sources import show_time


@dataclass(frozen=True, slots=True)
class Models:
    """The names of the models that answer."""

    chat: str
    vision: str


@dataclass(frozen=True, slots=True)
class Status:
    """Tells what is under way, what is known, and what answers."""

    workload: Workload
    catalogue: SourceCatalogue
    models: Models

    def commands(self) -> tuple[CommandSpec, ...]:
        """/status."""
        return (CommandSpec("status", self.answer),)

    async def answer(self, asked: Asked) -> Reply:
        """What can be told, also when one of the databases is away."""
        locale = asked.locale
        lines = [
            await self._work(asked),
            await self._documents(locale),
            say(locale, "status-models", chat=self.models.chat, vision=self.models.vision),
            say(locale, "status-version", version=version("rich-agent")),
        ]
        return Reply.of("\n".join(lines))

    async def _work(self, asked: Asked) -> str:
        work = await self.workload.of_user(asked.user_id, besides=asked.update_id)
        if work.is_answering:
            return say(asked.locale, "status-answering", waiting=work.waiting)
        return say(asked.locale, "status-waiting", waiting=work.waiting)

    async def _documents(self, locale: str) -> str:
        try:
            page = await self.catalogue.page(0, 0)
        except DatabaseUnavailableError:
            return say(locale, "status-documents-away")
        return say(
            locale,
            "status-documents",
            documents=page.documents,
            passages=page.passages,
            synced=show_time(page.synced_at, locale),
        )
