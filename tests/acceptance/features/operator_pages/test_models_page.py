"""The page Models over HTTP: servers, times, use and cost, limits and prices."""

import pytest

from tests.acceptance.operators import give_role
from tests.acceptance.visitors import visiting, words
from tests.acceptance.world import ADMIN, World

PATH = "/operator/models"
USE = """
INSERT INTO usage_days (user_id, day, kind, model, calls, estimated, input_tokens, cached_tokens,
    output_tokens, images, searches)
VALUES (%s, (now() AT TIME ZONE 'UTC')::date, 'text', %s, 2, 0, 900000, 300000, 100000, 0, 0)
ON CONFLICT (user_id, day, kind, model) DO UPDATE SET calls = 2 RETURNING user_id
"""


@pytest.mark.costs("a whole turn, and pages of a bot that has loaded no prices yet")
def test_models_are_shown_with_use_times_and_prices(world: World, user: int) -> None:
    """By role, step, model and person."""
    world.ask(user, "What does the handbook say about holidays?")
    world.await_idle()
    world.rows(USE, user, "costly-model")
    with visiting(world, ADMIN) as owner:
        page = owner.page(PATH)
        said = words(page)
        for role in ("chat", "planner", "vision", "embedding"):
            assert page.xpath(f"//tbody/tr/th[text()='{role}']"), role
        assert "sandbox-chat" in said
        assert "no failure" in said
        assert "Whole answer" in said
        assert page.xpath("//tbody/tr/th[text()='writing']")
        (row,) = page.xpath("//tr[th='costly-model · text']")
        cells = [cell.text_content() for cell in row.xpath("td")]
        assert cells == ["2", "900,000", "300,000 (33%)", "100,000", "–"]
        assert page.xpath(f"//tr/th[starts-with(text(), '{user}')]")
        assert "genai-prices" in said


@pytest.mark.parametrize("role", ["viewer", "author"])
def test_models_are_for_readers(world: World, user: int, role: str) -> None:
    """A viewer sees them, an author does not."""
    give_role(world, user, role)
    with visiting(world, user) as visitor:
        assert visitor.get(PATH).status_code == (200 if role == "viewer" else 403)


def test_limits_show_who_is_near(world: World, user: int) -> None:
    """A limit that is set on the page Settings appears, and those who come near it."""
    world.rows(USE, user, "sandbox-chat")
    with visiting(world, ADMIN) as owner:
        assert "There are no daily limits." in words(owner.page(PATH))
        owner.post("/operator/settings/DAILY_TOKENS", value="2000000")
        try:
            page = owner.page(PATH)
            assert "2,000,000" in words(page)
            (row,) = page.xpath(
                f"//table[caption='Nearest to a limit today']//tr[contains(th, '{user}')]"
            )
            assert row.xpath("td")[0].text == "50%"
        finally:
            owner.post("/operator/settings/DAILY_TOKENS/unset")
