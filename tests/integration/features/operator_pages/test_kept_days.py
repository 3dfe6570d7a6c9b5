"""Figures of days: those that have ended are read once an hour, today's as of now."""

import lxml.html
import pytest

from rich_agent.features.operator_pages.repositories import usage_days
from tests.integration.catalogue import execute
from tests.integration.features.operator_pages.served_pages import OWNER, Pages

LATE, SOMEBODY, OTHER = 300, 301, 302
USE = """
INSERT INTO usage_days (user_id, day, kind, model, calls, estimated, input_tokens, cached_tokens,
    output_tokens, images, searches)
VALUES ({user}, (now() AT TIME ZONE 'UTC')::date - {ago}, 'text', '{model}', 2, 0, {tokens}, 300000,
    100000, 0, 0)
"""


def use(url: str, user: int, ago: int, model: str, tokens: int = 900_000) -> None:
    """Record what somebody used some days ago."""
    execute(url, USE.format(user=user, ago=ago, model=model, tokens=tokens))


async def tables(pages: Pages, term: str = "7") -> dict[str, dict[str, list[str]]]:
    """The tables of the page Models: the cells of each row by its head, by caption."""
    async with await pages.browser(OWNER) as browser:
        answer = await browser.get("/operator/models", params={"days": term})
    return {
        str(table.findtext("caption")): {
            str(row.findtext("th")): [str(cell.text_content()) for cell in row.xpath("td")]
            for row in table.xpath(".//tr[td]")
        }
        for table in lxml.html.fromstring(answer.text).xpath("//table")
    }


async def test_terms_have_the_use_of_their_days(pages: Pages, database_url: str) -> None:
    """Of today, of yesterday, of a week with both; by model and by person, most first."""
    use(database_url, SOMEBODY, 0, "small")
    use(database_url, SOMEBODY, 1, "small")
    use(database_url, OTHER, 1, "costly", 1_500_000)
    use(database_url, OTHER, 7, "old")
    week = await tables(pages)
    assert week["Model"]["small · text"][:3] == ["4", "1,800,000", "600,000 (33%)"]
    assert list(week["Person"]) == [str(SOMEBODY), str(OTHER)]
    assert "old · text" not in week["Model"]
    yesterday = await tables(pages, "yesterday")
    assert list(yesterday["Person"]) == [str(OTHER), str(SOMEBODY)]
    assert yesterday["Model"]["small · text"][0] == "2"
    today = await tables(pages, "1")
    assert list(today["Person"]) == [str(SOMEBODY)]
    assert list(today["Model"]) == ["small · text"]


async def test_days_that_have_ended_are_read_once_an_hour(
    pages: Pages, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New use is seen at once, a change of the past within an hour."""
    use(database_url, SOMEBODY, 1, "small")
    assert list((await tables(pages))["Person"]) == [str(SOMEBODY)]
    use(database_url, OTHER, 0, "small")
    use(database_url, LATE, 2, "late")
    kept = await tables(pages)
    assert set(kept["Person"]) == {str(SOMEBODY), str(OTHER)}
    assert kept["Model"]["small · text"][0] == "4"
    assert "late · text" not in kept["Model"]
    monkeypatch.setattr(usage_days, "_KEPT_S", 0.0)
    later = await tables(pages)
    assert set(later["Person"]) == {str(SOMEBODY), str(OTHER), str(LATE)}
    assert "late · text" in later["Model"]
