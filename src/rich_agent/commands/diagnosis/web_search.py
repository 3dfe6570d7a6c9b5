"""Tries each search engine that the settings choose, as `rich-agent doctor` reports it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rich_agent.commands.diagnosis.check_results import CheckResult, check_failure
from rich_agent.errors import RichAgentError
from rich_agent.ports.search_engines import SearchEngine
from rich_agent.runtime.web_search import EngineSearch, choose_engines
from rich_agent.settings.tools import WEB_SEARCH_OFF, ToolSettings

_CHECK: Final = "web search"
_TEST_QUERY: Final = "weather"
_NOTHING_FOUND: Final = "answers, but found nothing in a test search"


async def check_web_search(
    engines: Sequence[SearchEngine], settings: ToolSettings
) -> list[CheckResult]:
    """Search with each chosen engine. While one of them answers, the others only get a warning."""
    chosen_engines = choose_engines(engines, settings.engine_names)
    results = [await _try(engine) for engine in chosen_engines]
    results += _unknown_engines(engines, settings.engine_names)
    if any(result.ok for result in results):
        results = [
            result if result.ok else replace(result, level="warn", detail=_says_later(result))
            for result in results
        ]
    return results or [_none_chosen(engines, settings.engine_names)]


async def _try(engine: SearchEngine) -> CheckResult:
    """Search for a word with one engine."""
    try:
        findings = await EngineSearch([engine]).search(_TEST_QUERY, 1)
    except RichAgentError as error:
        failure = check_failure(_CHECK, error)
        return replace(failure, detail=f"{engine.name}: {failure.detail}")
    terms = f". {engine.terms}" if engine.terms else ""
    if findings.passages:
        return CheckResult(_CHECK, "ok", f"{engine.name} answers{terms}")
    hint = "Search for the same word with it in a browser; name another engine in WEB_SEARCH."
    return CheckResult(_CHECK, "warn", f"{engine.name} {_NOTHING_FOUND}{terms}", hint)


def _says_later(result: CheckResult) -> str:
    return f"{result.detail}; the other engines are asked instead"


def _unknown_engines(
    engines: Sequence[SearchEngine], names: Sequence[str]
) -> Iterator[CheckResult]:
    """Yield a failure for each name that no engine has."""
    engine_names = [engine.name for engine in engines]
    for name in dict.fromkeys(names):
        if name not in {*engine_names, WEB_SEARCH_OFF}:
            detail = f"WEB_SEARCH names {name}, which is unknown or not configured"
            choice = ", ".join([*engine_names, WEB_SEARCH_OFF])
            hint = f"Set what it needs, or choose from: {choice}."
            yield CheckResult(_CHECK, "FAIL", detail, hint)


def _none_chosen(engines: Sequence[SearchEngine], names: Sequence[str]) -> CheckResult:
    """Tell that the web is not searched, and how it could be without a key."""
    if names:
        return CheckResult(_CHECK, "ok", f"WEB_SEARCH={', '.join(names)}: the web is not searched")
    ways = " ".join(f"WEB_SEARCH={engine.name}: {engine.terms}" for engine in engines)
    remark = f". Without a key: {ways}" if ways else ""
    detail = f"no search engine is configured: the web is not searched{remark}"
    return CheckResult(_CHECK, "ok", detail)
