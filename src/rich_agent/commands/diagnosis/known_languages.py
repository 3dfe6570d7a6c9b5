"""The languages of the documents that the embedding model does not know."""

from rich_agent.commands.diagnosis.check_results import CheckResult
from rich_agent.errors import RichAgentError
from rich_agent.ports.knowledge import SourceCatalogue

_HINT = "Set EMBEDDING_MODEL to one that knows the language, and run `ingest sync`."


async def check_languages(catalogue: SourceCatalogue) -> list[CheckResult]:
    """Tell for each language what the last sync learned; a lost database is reported elsewhere."""
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
