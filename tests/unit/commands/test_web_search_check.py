"""Doctor's check of the web search: each chosen engine is tried, and each remedy is told."""

from collections.abc import Sequence

from rich_agent.commands.diagnosis.check_results import CheckResult
from rich_agent.commands.diagnosis.web_search import check_web_search
from rich_agent.errors import UpstreamRefusedError
from rich_agent.ports.search_engines import SearchEngine, WebResult
from rich_agent.settings.tools import ToolSettings

TERMS = "Asks free.example, which allows it."


async def find(_query: str, _limit: int) -> Sequence[WebResult]:
    """Find a page."""
    return [WebResult("https://weather.example/", "Weather", "Rain.")]


async def find_nothing(_query: str, _limit: int) -> Sequence[WebResult]:
    """Find no page."""
    return []


async def refuse(_query: str, _limit: int) -> Sequence[WebResult]:
    """Refuse the key."""
    raise UpstreamRefusedError("dry", "no such key", hint="Check DRY_KEY.")


ENGINES = [
    SearchEngine("brook", find),
    SearchEngine("dry", refuse),
    SearchEngine("empty", find_nothing),
    SearchEngine("free", find, terms=TERMS),
]


async def check(*names: str, engines: Sequence[SearchEngine] = ENGINES) -> list[CheckResult]:
    """The results with these engines in WEB_SEARCH."""
    return await check_web_search(engines, ToolSettings(web_search=names))


def lines(results: Sequence[CheckResult]) -> list[tuple[str, str, str]]:
    """The level, the detail and the hint of each result."""
    assert {result.name for result in results} == {"web search"}
    return [(result.level, result.detail, result.hint) for result in results]


async def test_each_engine_is_tried_in_order() -> None:
    """One that fails beside another is a warning with its remedy."""
    dry, brook, empty = lines(await check("DRY", "brook", "empty"))
    assert dry == (
        "warn",
        "dry: no such key; the other engines are asked instead",
        "Check DRY_KEY.",
    )
    assert brook == ("ok", "brook answers", "")
    assert empty[:2] == ("warn", "empty answers, but found nothing in a test search")


async def test_only_engine_that_fails_is_a_failure() -> None:
    """The web cannot be searched."""
    assert lines(await check("dry")) == [("FAIL", "dry: no such key", "Check DRY_KEY.")]


async def test_engine_without_a_key_is_told_with_its_terms() -> None:
    """As long as nothing is configured, and when it was chosen."""
    ((level, detail, _),) = lines(await check(engines=ENGINES[3:]))
    assert level == "ok"
    assert detail == (
        "no search engine is configured: the web is not searched. "
        f"Without a key: WEB_SEARCH=free: {TERMS}"
    )
    assert lines(await check("free")) == [("ok", f"free answers. {TERMS}", "")]


async def test_name_of_no_engine_is_a_failure() -> None:
    """The names to choose from stand below it; beside an engine that answers, it is a warning."""
    detail = "WEB_SEARCH names brvae, which is unknown or not configured"
    hint = "Set what it needs, or choose from: brook, dry, empty, free, off."
    assert lines(await check("brvae")) == [("FAIL", detail, hint)]
    _, unknown = lines(await check("brook", "brvae"))
    assert unknown == ("warn", f"{detail}; the other engines are asked instead", hint)


async def test_search_that_is_off_is_no_failure() -> None:
    """The operator said so."""
    assert lines(await check("off")) == [("ok", "WEB_SEARCH=off: the web is not searched", "")]
