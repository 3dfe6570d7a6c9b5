"""The check of every call of the run can fail."""

from pathlib import Path

import httpx
import pytest

from tests.journal import JOURNAL_VARIABLE, Journal, checked_calls, open_journal
from tests.sandbox_server import start_sandbox


@pytest.mark.parametrize(
    ("method", "body", "reason"),
    [
        ("sendMessage", {"chat_id": 1, "text": "hi", "colour": "red"}, "colour"),
        ("sendMessage", {"chat_id": 1}, "text"),
        ("sendEverything", {"chat_id": 1}, "sendEverything"),
        ("sendMessage", {"chat_id": 1, "text": "https://example.com"}, "preview"),
        ("sendDocument", {"chat_id": 1, "document": "f", "parse_mode": "HTML"}, "markup"),
        ("deleteWebhook", {"drop_pending_updates": True}, "drops"),
    ],
)
def test_journal_refuses_a_wrong_call_even_when_the_sandbox_has_forgotten_it(
    tmp_path: Path, method: str, body: dict[str, object], reason: str
) -> None:
    """One wrong call among right ones is found, and named."""
    journal = Journal(tmp_path / "calls.jsonl")
    with start_sandbox(journal=journal.file) as sandbox, _http() as http:
        http.post(f"{sandbox.api_url}/getMe")
        journal.check_new()
        http.post(f"{sandbox.api_url}/{method}", json=body)
        http.delete(f"{sandbox.url}/sim").raise_for_status()
    with pytest.raises(AssertionError, match=reason):
        journal.check_new()


def test_sandbox_of_a_test_writes_the_journal_that_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The calls to a sandbox that a test starts are counted when the journal is closed."""
    monkeypatch.setenv(JOURNAL_VARIABLE, "to be restored")
    with open_journal(tmp_path), start_sandbox() as sandbox, _http() as http:
        http.post(f"{sandbox.api_url}/getMe")
        http.post(f"{sandbox.api_url}/deleteWebhook")
    assert checked_calls(tmp_path) == {"getMe": 1, "deleteWebhook": 1}


def _http() -> httpx.Client:
    return httpx.Client(timeout=10, trust_env=False)
