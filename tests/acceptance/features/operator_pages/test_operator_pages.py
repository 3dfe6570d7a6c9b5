"""The operator's pages over HTTP: who is admitted, what stands on them, what the audit records."""

import httpx
import pytest

from rich_agent.features.operator_pages.repositories.usage_days import DAYS
from rich_agent.features.operator_pages.roles import ROLES
from tests.acceptance.visitors import visiting, words
from tests.acceptance.world import ADMIN, World

GIVE = "INSERT INTO operator_roles (user_id, role, given_by) VALUES (%s, %s, %s) RETURNING user_id"


def give_role(world: World, user: int, role: str) -> None:
    """Give a user a role, as the owner does on the page."""
    world.rows(GIVE, user, role, ADMIN)


def test_today_shows_the_figures_of_the_bot(world: World, user: int) -> None:
    """Users, answers, cost, failures and versions."""
    world.ask(user, "hi there")
    with visiting(world, ADMIN) as owner:
        today = owner.page("/operator")
        said = words(today)
        for part in ("Users in 24 hours", "Answers today", "Cost today", "PostgreSQL"):
            assert part in said
        assert len(today.xpath("//figure//tbody/tr")) == 3 * DAYS
        for label, page in (
            ("Set aside after failures", "work"),
            ("Answers that wait for approval", "work"),
            ("Open questions", "quality"),
        ):
            (link,) = today.xpath(f"//dt[text()='{label}']/following-sibling::dd/a/@href")
            assert link.endswith(f"/operator/{page}")
            assert owner.get(link).status_code == 200
        answer = owner.get("/operator/audit")
        tag = {"If-None-Match": answer.headers["ETag"]}
        assert owner.client.get("/operator/audit", headers=tag).status_code == 304


@pytest.mark.parametrize("role", [None, *ROLES])
def test_role_decides_what_is_seen(world: World, user: int, role: str | None) -> None:
    """Without one, nothing; an author sees neither figures nor the audit."""
    if role:
        give_role(world, user, role)
    with visiting(world, user) as visitor:
        sees_all = role not in {None, "author"}
        for path in ("/operator", "/operator/audit", "/operator/audit/audit.csv"):
            answer = visitor.get(path)
            assert answer.status_code == (200 if sees_all else 403), path
            assert ("You may not see this page" in answer.text) == (not sees_all)


def test_who_is_not_signed_in_reads_how_to(world: World) -> None:
    """In their language, with a status that programs understand; another site leads nowhere."""
    home = world.environment["PUBLIC_URL"]
    with httpx.Client(base_url=home, trust_env=False) as stranger:
        answer = stranger.get("/operator", headers={"Accept-Language": "de"})
        assert answer.status_code == 401
        assert "/web" in answer.text
        assert 'lang="de"' in answer.text
        away = stranger.get("/operator", headers={"Sec-Fetch-Site": "cross-site"})
        assert away.status_code == 401
        assert "A link on another site led you here" in away.text
        assert stranger.get("/operator/live").status_code == 401


def test_role_that_is_taken_back_closes_the_pages_at_once(world: World, user: int) -> None:
    """Also the stream of an open page."""
    give_role(world, user, "viewer")
    with visiting(world, user) as visitor:
        assert visitor.get("/operator").status_code == 200
        with visitor.client.stream("GET", "/operator/live") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "event: begun"
            taken = (
                "WITH gone AS (DELETE FROM operator_roles WHERE user_id = %s RETURNING user_id) "
                "SELECT pg_notify('conversations', '0') FROM gone"
            )
            world.rows(taken, user)
            assert "event: begun" not in list(lines)
        assert visitor.get("/operator").status_code == 403
