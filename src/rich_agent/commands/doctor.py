"""`rich-agent doctor`: what can be checked before the first message, each with its mend."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

import typer

from rich_agent.app import IMAGE_LIMITS, open_services, open_telegram
from rich_agent.commands.model_check import check_models
from rich_agent.errors import InvalidSettingsError, RichAgentError, SettingsError
from rich_agent.graph.services import Services
from rich_agent.graph.views import NO_CONVERSATION
from rich_agent.logs import configure_logging
from rich_agent.prompts import render_prompt
from rich_agent.settings import Settings
from rich_agent.storage import open_databases
from rich_agent.telegram.webhook_health import check_deliveries, check_registered
from rich_agent.upstreams.local_files import LocalImageFiles


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of one check: `detail` says what was found, `mend` what to do."""

    name: str
    ok: bool
    detail: str
    mend: str = ""


def examine(*, as_json: bool) -> bool:
    """Run all checks and print what each found; whether all passed."""
    findings = asyncio.run(_examine(quiet=as_json))
    if as_json:
        typer.echo(json.dumps([asdict(f) for f in findings], ensure_ascii=False, indent=2))
    return all(finding.ok for finding in findings)


async def _examine(*, quiet: bool) -> list[Finding]:
    findings: list[Finding] = []
    async for finding in _all_findings():
        findings.append(finding)
        if not quiet:
            typer.echo(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.name}: {finding.detail}")
            if finding.mend:
                typer.echo(f"      → {finding.mend}")
    return findings


async def _all_findings() -> AsyncIterator[Finding]:
    """Of the settings; if these are sound, of all that they name."""
    try:
        settings = Settings.load()
    except InvalidSettingsError as error:
        for problem in error.problems:
            yield Finding("settings", ok=False, detail=str(problem), mend=problem.mend)
        return
    configure_logging(settings.log_format, "error")
    async for finding in _findings(settings):
        yield finding


async def _findings(settings: Settings) -> AsyncIterator[Finding]:
    yield await _find("telegram", lambda: _check_telegram(settings))
    yield await _find("models", lambda: check_models(settings))
    async with AsyncExitStack() as stack:
        try:
            databases = await stack.enter_async_context(open_databases(settings))
        except RichAgentError as error:
            yield Finding("database", ok=False, detail=str(error), mend=error.mend)
            return
        where = "DATABASE_URL" if settings.database_url else f"embedded, in {settings.data_dir}"
        yield Finding("database", ok=True, detail=f"{where}; its tables fit this version")
        try:
            files = LocalImageFiles(IMAGE_LIMITS.max_bytes)
            services = await stack.enter_async_context(open_services(settings, databases, files))
        except SettingsError:
            return  # the missing key is reported above
        for name, check in _service_checks(services):
            yield await _find(name, check)


async def _find(name: str, check: Callable[[], Awaitable[str]]) -> Finding:
    try:
        return Finding(name, ok=True, detail=await check())
    except RichAgentError as error:
        return Finding(name, ok=False, detail=str(error), mend=error.mend)


async def _check_telegram(settings: Settings) -> str:
    async with open_telegram(settings) as api:
        name = (await api.get_me()).username
        webhook = await api.get_webhook()
    if settings.webhook_url is None:
        return f"@{name}, by polling"
    check_registered(webhook, settings.webhook_url)
    check_deliveries(webhook, datetime.now(UTC))
    return f"@{name}, by webhook{'' if webhook.url else ' (set when the bot starts)'}"


def _service_checks(services: Services) -> list[tuple[str, Callable[[], Awaitable[str]]]]:
    async def chat() -> str:
        prompt = render_prompt("doctor", question="Say ok.")
        said = "".join([piece async for piece in services.chat.stream(prompt)])
        return f"answers ({len(said)} characters)"

    async def planner() -> str:
        prompt = render_prompt(
            "N4_build_effective_query",
            today=services.now().date(),
            domain=services.domain,
            source_titles=[],
            question=services.domain.examples[0] if services.domain.examples else "What is new?",
            **NO_CONVERSATION,
        )
        routing = await services.planner.plan(prompt)
        return f"plans by structured output ({routing.plan})"

    async def embeddings() -> str:
        if services.embeddings is None:
            return "none: retrieval by full text"
        await services.embeddings.embed(["doctor"])
        return f"{services.embeddings.name}, {services.embeddings.dimensions} dimensions"

    async def search() -> str:
        if services.web is None:
            return "no TAVILY_API_KEY: the web is not searched"
        found = await services.web.search("rich-agent", 1)
        return "answers" if found else "answers, with no result for a trial"

    async def documents() -> str:
        titles = await services.passages.source_titles()
        return f"{len(titles)} active sources" if titles else "none yet: see `ingest add-source`"

    return [
        ("chat model", chat),
        ("planner", planner),
        ("embeddings", embeddings),
        ("web search", search),
        ("documents", documents),
    ]
