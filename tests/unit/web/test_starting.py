"""Requests while the bot starts."""

from starlette.testclient import TestClient

from rich_agent.web.starting import StartingBot

CLIENT = TestClient(StartingBot())


def test_browser_gets_a_page_that_loads_itself_again() -> None:
    """In the reader's language."""
    page = CLIENT.get("/chat", headers={"Accept": "text/html,*/*", "Accept-Language": "ar"})
    assert page.status_code == 503
    assert page.headers["content-type"].startswith("text/html")
    assert page.headers["refresh"] == page.headers["retry-after"] == "1"
    assert '<html lang="ar" dir="rtl">' in page.text
    assert "البوت" in page.text


def test_program_gets_an_error_while_the_bot_starts() -> None:
    """Whatever it asks for."""
    for method, accept in (("GET", "*/*"), ("POST", "text/html")):
        answer = CLIENT.request(method, "/v1/models", headers={"Accept": accept})
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
        assert answer.json()["error"]["code"] == "starting"
