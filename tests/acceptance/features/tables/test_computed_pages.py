"""Charts of computed answers on the web chat's page, in a browser."""

import pytest
from selenium import webdriver

from tests.acceptance.browsing import needs_browser
from tests.acceptance.scripting import calling
from tests.acceptance.test_agui import code_of, program
from tests.acceptance.test_living_answers import BY_REGION, ask_by_region, units_by_region
from tests.acceptance.test_web_chat import Chat
from tests.acceptance.world import World

pytestmark = [*needs_browser, pytest.mark.feature("web_chat", "day_picture")]
_CELLS = """
const rows = [...arguments[0].querySelectorAll("tr")];
return rows.map((row) => [...row.children].map((one) => one.textContent));
"""
_ALIGNED = """
const rows = [...arguments[0].querySelectorAll("tr")];
return rows.map((row) => [...row.children].map((one) => getComputedStyle(one).textAlign));
"""
_MEDIA = "Emulation.setEmulatedMedia"


@pytest.mark.costs("it computes over whole tables, in a process")
def test_computed_rows_are_a_chart_on_the_page(
    browser: webdriver.Chrome, world: World, user: int
) -> None:
    """In an answer of the past and in a new one, with its numbers as a table; for its user."""
    ask_by_region(world, user, "How many units did each region sell?")
    page = Chat(browser, world, user)
    page.open()
    units = sorted(units_by_region().items())
    expected = [["region", "units"], *([name, str(count)] for name, count in units)]
    table = page.await_shown(".chart table", "North")
    assert browser.execute_script(_CELLS, table) == expected
    assert browser.execute_script(_ALIGNED, table) == [["start", "end"]] * len(expected)
    assert len(page.all(".chart svg rect")) == len(units)
    again = "Compute the units of each region once more."
    call = calling("query_tables", sql=BY_REGION, in_words="the units of each region again")
    world.sandbox.script(again, call, "Here they are. [1]")
    page.send(again)
    page.await_shown(".chart h3", "again")
    assert len(page.all(".chart table")) == 2
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        browser.execute_cdp_cmd(_MEDIA, {"features": features})
        for width in (1280, 390):
            page.resize(width, 900)
            assert page.serious() == [], f"{scheme}, {width} px"
    page.screenshot("computed")
    with program(world, user) as client:
        messages = client.get(f"/agui/threads/tg:{user}").json()["messages"]
        ((drawn,),) = [one["pictures"] for one in messages if "again" in str(one.get("pictures"))]
        assert client.get(drawn["url"]).content.startswith(b"\x89PNG")
        block = client.get(drawn["block"]).json()
        assert block["chart"]["series"] == [["units", [count for _, count in units]]]
    with program(world, user + 50_000) as other:
        assert code_of(other.get(drawn["block"])) == (404, "unknown_picture")
