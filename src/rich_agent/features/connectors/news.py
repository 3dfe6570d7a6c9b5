"""Tells admins about sources that cannot be read, and about sources that can be read again."""

from dataclasses import dataclass

import structlog

from rich_agent.feature import TellAdmins, say
from rich_agent.feature.text import shorten
from rich_agent.features.connectors.clocks import SourceNews

_PROBLEM_CHARS = 200
_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class NewsTeller:
    """Sends the news of sources to admins."""

    tell_admins: TellAdmins

    async def tell(self, news: SourceNews) -> None:
        """Send each admin the news of a source."""
        _log.info("source_news", source=news.source, problem=news.problem)
        await self.tell_admins(lambda locale: words_of(news, locale))


def words_of(news: SourceNews, locale: str) -> str:
    """The message: the first line of the problem, or that the source can be read again."""
    if not news.problem:
        return say(locale, "connectors-source-back", source=news.source)
    problem = shorten(news.problem.partition("\n")[0], _PROBLEM_CHARS)
    return say(locale, "connectors-source-away", source=news.source, problem=problem)
