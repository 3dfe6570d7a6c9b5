"""The pages on documents in a real browser: read by everybody, with hostile texts in every cell."""

import json
import time

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.acceptance.browsed_pages import page_problems, speak
from tests.acceptance.browsing import axe_problems, needs_browser
from tests.acceptance.operators import sign_in
from tests.acceptance.visitors import visiting
from tests.acceptance.world import ADMIN, World, wait_until

pytestmark = list(needs_browser)
_LOOKS = (("en", "light", 1280), ("ar", "dark", 390))
HOSTILE = "<img src=x onerror=alert(1)> \u202e" + "wide" * 40
OUTCOME = {
    "at": "2026-11-29T12:00:00Z",
    "changes": {"new": 2, "failed": 3},
    "problem": HOSTILE,
    "failures": [{"reason": HOSTILE, "documents": 3, "examples": [HOSTILE]}],
    "left_out": [{"reason": HOSTILE, "documents": 1, "examples": [HOSTILE]}],
    "notes": [HOSTILE],
    "content": {
        "documents": 1,
        "passages": 2,
        "empty": 1,
        "empty_example": HOSTILE,
        "unread": [{"kind": "picture", "parts": 4, "documents": 1, "example": HOSTILE}],
    },
}
ADD = """
WITH given AS (SELECT %s::text AS hostile, %s::jsonb AS outcome), space AS (
    INSERT INTO rag_spaces (name, readers)
    SELECT hostile, ARRAY['everybody', 'user:7', 'list:a'] FROM given RETURNING id
), source AS (
    INSERT INTO rag_sources (id, type, root_url, name, space_id, last_sync)
    SELECT 'src_hostile', 'upload', hostile, hostile, id, outcome FROM space, given RETURNING id
), document AS (
    INSERT INTO rag_documents (source_id, url, identity, title, fetched_at, fetched_at_bucket,
        raw_hash, content_hash, raw_text, pipeline_version, chunk_count, inventory, last_error)
    SELECT id, hostile, 'hostile', hostile, now(), now(), '', '', '', 1, 1,
        '{"picture": [4, 0]}', hostile FROM source, given RETURNING id
), chunk AS (
    INSERT INTO rag_chunks (id, document_id, section, anchor, link, chunk_index, content,
        token_count, content_hash, source_id)
    SELECT 'hostile', id, hostile, '', '', 0, hostile, 1, '', 'src_hostile' FROM document, given
), file AS (
    INSERT INTO rag_uploads (source_id, name, data, size_bytes, sha256)
    SELECT id, hostile, '', 0, '' FROM source, given
), run AS (
    INSERT INTO rag_sync_runs (source, source_id, runner, source_started_at, documents, done)
    SELECT hostile, id, hostile, now(), 5, 2 FROM source, given
)
SELECT id FROM document
"""
GONE = (
    "DELETE FROM rag_sync_runs WHERE source_id = 'src_hostile' RETURNING 1",
    "DELETE FROM rag_sources WHERE id = 'src_hostile' RETURNING 1",
    "DELETE FROM rag_spaces RETURNING 1",
)


def test_pages_fit_and_can_be_read_by_everybody(browser: webdriver.Chrome, world: World) -> None:
    """Each page on documents: light and wide, dark and narrow, in both directions."""
    (row,) = world.rows(ADD, HOSTILE, json.dumps(OUTCOME))
    base = f"{world.environment['PUBLIC_URL']}/operator/knowledge"
    parts = ("", "/sources/src_hostile", f"/documents/{row['id']}", "/spaces", "/search")
    addresses = [base + part for part in (*parts, "/connect", "/connect/imap")]
    problems: list[str] = []
    try:
        sign_in(browser, world, ADMIN)
        for look in _LOOKS:
            speak(world, ADMIN, look[0])
            problems += page_problems(browser, addresses, look)
    finally:
        speak(world, ADMIN, "en")
        for statement in GONE:
            world.rows(statement)
    assert problems == []


def test_address_that_is_sent_by_the_enter_key_stands_in_the_preview(
    browser: webdriver.Chrome, world: World
) -> None:
    """The focus is in its field then, which is on both pages."""
    sign_in(browser, world, ADMIN)
    browser.get(f"{world.environment['PUBLIC_URL']}/operator/knowledge")
    address = f"{world.sandbox.url}/pages/ferry"
    browser.find_element(By.ID, "target").send_keys(address, Keys.ENTER)
    wait_until(lambda: browser.find_elements(By.ID, "kind") or None, "the preview")
    assert browser.find_element(By.ID, "target").get_attribute("value") == address
    assert "Only this page is read" in browser.find_element(By.ID, "main").text


def test_results_of_a_search_stay_when_news_come(browser: webdriver.Chrome, world: World) -> None:
    """An answer of a form is at no address, so that no news replaces it."""
    sign_in(browser, world, ADMIN)
    base = f"{world.environment['PUBLIC_URL']}/operator/knowledge"
    browser.get(f"{base}/search")
    browser.find_element(By.ID, "user").send_keys("7")
    browser.find_element(By.ID, "q").send_keys("What is proof of history?")
    browser.find_element(By.CSS_SELECTOR, "main form button").click()
    shown = "return document.querySelectorAll('main blockquote').length"
    results = wait_until(lambda: browser.execute_script(shown) or None, "results")
    assert axe_problems(browser) == []
    tell = "SELECT pg_notify('conversations', '0')"
    fetched = "return performance.getEntriesByType('resource').length"
    before = browser.execute_script(fetched)
    with visiting(world, ADMIN) as other, other.client.stream("GET", "/operator/live") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: begun"
        world.rows(tell)
        assert "event: changed" in lines
    time.sleep(1)  # a page that followed would have fetched itself by now
    assert browser.execute_script(shown) == results
    assert browser.execute_script(fetched) == before
    look = browser.find_element(By.CSS_SELECTOR, "nav a[href$='/operator/knowledge']")
    look.click()
    wait_until(lambda: browser.find_elements(By.ID, "target") or None, "the list")
    browser.find_element(By.ID, "target").send_keys(f"{world.sandbox.url}/nowhere")
    browser.find_element(By.CSS_SELECTOR, "form[action$='/look'] button").click()
    problem = wait_until(lambda: browser.find_elements(By.CSS_SELECTOR, ".problem") or None, "why")
    assert "404" in problem[0].text
    assert axe_problems(browser) == []
