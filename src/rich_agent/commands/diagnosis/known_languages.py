"""The languages of the documents that the embedding model does not know."""

from rich_agent.commands.diagnosis.check_results import CheckResult
from rich_agent.errors import RichAgentError
from rich_agent.ports.knowledge import SourceCatalogue

_HINT = "Set EMBEDDING_MODEL to one that knows the language, and run `ingest sync`."


async def check_languages(catalogue: SourceCatalogue) -> list[CheckResult]:
    """Report the last sync's findings by language; other checks report a lost database."""
    try:
        languages = await catalogue.language_trust()
    except RichAgentError:
        return []
    return [
        CheckResult("languages", "warn", one.in_words(), _HINT)
        if one.is_unknown
        else CheckResult("languages", "ok", one.in_words())
        for one in languages
    ]
