"""The page of evaluations in a real browser: what axe finds once there are some."""

import json

import pytest
from selenium import webdriver

from tests.acceptance.browsed_pages import LOOKS, page_problems, speak
from tests.acceptance.browsing import needs_browser
from tests.acceptance.operators import sign_in
from tests.acceptance.world import ADMIN, World

pytestmark = [*needs_browser, pytest.mark.feature("operator_pages")]
_RUN = """
INSERT INTO evaluation_runs
    (started_at, version, model, changes, question_set, question_count, measures)
VALUES (now() - make_interval(days => %s), '1.0', 'a-model', %s, %s, 20, %s) RETURNING id
"""
QUESTION = "ما هي رسوم التصريح؟"
_QUESTION = "INSERT INTO evaluation_questions (ask) VALUES (%s) RETURNING id"


def test_evaluations_can_be_read_by_everybody(browser: webdriver.Chrome, world: World) -> None:
    """Two sets of questions over time, and a stored question that is not complete."""
    share = {"value": 0.8, "low": 0.6, "high": 0.9, "count": 20}
    for ago, name in ((0, ""), (1, ""), (0, "harbour-questions-of-the-first-week.toml")):
        world.rows(_RUN, ago, "CHAT_MODEL=another", name, json.dumps({"right": share}))
    world.rows(_QUESTION, QUESTION)
    sign_in(browser, world, ADMIN)
    address = f"{world.environment['PUBLIC_URL']}/operator/evaluation"
    problems: list[str] = []
    try:
        for look in (LOOKS[0], LOOKS[2]):
            speak(world, ADMIN, look[0])
            problems += page_problems(browser, [address], look)
    finally:
        speak(world, ADMIN, "en")
        world.rows("DELETE FROM evaluation_questions WHERE ask = %s RETURNING id", QUESTION)
        world.rows("DELETE FROM evaluation_runs WHERE model = 'a-model' RETURNING id")
    assert problems == []
