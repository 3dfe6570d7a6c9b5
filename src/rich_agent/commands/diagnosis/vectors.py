"""The vectors that are still missing, where they are made in the background."""

from rich_agent.commands.diagnosis.check_results import CheckResult
from rich_agent.errors import RichAgentError
from rich_agent.ports.knowledge import SourceCatalogue
from rich_agent.settings.settings import Settings

_HINT = "The running bot makes them, or `ingest embed` now. Until then, words find these passages."


async def check_vectors(settings: Settings, catalogue: SourceCatalogue) -> list[CheckResult]:
    """Report how many chunks have vectors of this machine; other checks report a lost database."""
    local = settings.models.embedding.local
    if local is None:
        return []
    try:
        progress = await catalogue.vector_progress(local.space)
    except RichAgentError:
        return []
    detail = f"{progress.embedded:,} of {progress.chunks:,} passages have vectors"
    if progress.refused:
        detail += f"; {progress.refused:,} have none, because {local.package} crashes on them"
    if progress.missing:
        return [CheckResult("vectors", "warn", detail, _HINT)]
    return [CheckResult("vectors", "ok", detail)]
