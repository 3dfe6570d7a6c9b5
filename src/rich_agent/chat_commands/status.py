"""/status: what the bot is doing for the user, and whether it works."""

from dataclasses import dataclass
from importlib.metadata import version

from rich_agent.chat_commands.replies import CommandRequest, Handlers, Reply
from rich_agent.chat_commands.sources import show_time
from rich_agent.domain.usage.usage import Allowance
from rich_agent.errors import DatabaseUnavailableError
from rich_agent.phrases import say, say_wait, show_moment
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.ports.operations import Workload
from rich_agent.ports.usage import UsageLedger
from rich_agent.rendering.notices import section


@dataclass(frozen=True, slots=True)
class StatusCommand:
    """Shows work in progress, the documents, the models, and today's use."""

    workload: Workload
    catalogue: SourceCatalogue
    ledger: UsageLedger
    allowance: Allowance
    chat_model: str
    vision_model: str

    def handlers(self) -> Handlers:
        """See `ChatCommand`."""
        return Handlers({"status": self.answer})

    async def answer(self, request: CommandRequest) -> Reply:
        """All that is available, even if a database is not."""
        locale = request.locale
        lines = [
            await self._use(request.user_id, locale),
            await self._documents(locale),
            say(locale, "status-models", chat=self.chat_model, vision=self.vision_model),
            say(locale, "status-version", version=version("rich-agent")),
        ]
        return Reply(section(await self._work(request), *lines))

    async def _work(self, request: CommandRequest) -> str:
        work = await self.workload.of_user(request.user_id, besides=request.update_id)
        if work.is_answering:
            return say(request.locale, "status-answering", waiting=work.waiting)
        return say(request.locale, "status-waiting", waiting=work.waiting)

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

    async def _use(self, user_id: int, locale: str) -> str:
        """The user's use today, the limit, and when the next day begins."""
        standing = await self.ledger.standing(user_id)
        used, limits = standing.used, self.allowance.of(user_id)

        def of_limit(used: int, limit: int | None) -> str:
            if limit is None:
                return say(locale, "use-free", used=used)
            return say(locale, "use-limited", used=used, limit=limit)

        told = say(
            locale,
            "status-use",
            tokens=of_limit(used.tokens, limits.tokens),
            images=of_limit(used.images, limits.images),
            searches=of_limit(used.searches, limits.searches),
            tool_calls=of_limit(used.tool_calls, limits.tool_calls),
            at=show_moment(standing.resets_at),
            wait=say_wait((standing.resets_at - standing.now).total_seconds(), locale),
        )
        if not used.audio_seconds and limits.audio_seconds is None:
            return told
        seconds = of_limit(used.audio_seconds, limits.audio_seconds)
        return f"{told}\n{say(locale, 'status-sound', seconds=seconds)}"
