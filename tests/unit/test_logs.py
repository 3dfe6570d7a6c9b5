"""Log lines hold no secret."""

import logging
from typing import Literal

import pytest
import structlog

from rich_agent.domain.redaction import redact
from rich_agent.logs import configure_logging

TOKEN = "123456789:AAFabcdefghijklmnopqrstuvwxyz0123456"


@pytest.mark.req("DEP-2")
@pytest.mark.parametrize(
    "secret",
    [
        f"POST https://api.telegram.org/bot{TOKEN}/getMe",
        "key sk-abcdefghijklmnop",
        "tvly-abcdefghijklmnop",
        "postgresql://bot:hunter22@db.example/bot",
    ],
)
def test_redact_removes_secrets(secret: str) -> None:
    """Tokens, keys and passwords are replaced."""
    shown = redact(secret)
    assert "***" in shown
    for word in ("AAFabc", "abcdefghijkl", "hunter22"):
        assert word not in shown


@pytest.mark.req("DEP-2")
@pytest.mark.parametrize("form", ["json", "console"])
def test_configure_logging_redacts_tracebacks_of_libraries(
    capsys: pytest.CaptureFixture[str], form: Literal["json", "console"]
) -> None:
    """A token in somebody's exception does not reach the log."""
    before = logging.getLogger().handlers[:]
    levels = {
        name: logging.getLogger(name).level for name in ("", *logging.root.manager.loggerDict)
    }
    try:
        configure_logging(form, "info")
        try:
            raise RuntimeError(f"GET /bot{TOKEN}/getMe failed")  # noqa: TRY301 - a library's error
        except RuntimeError:
            logging.getLogger("somelib").exception("request failed")
            structlog.get_logger().info("sent", url=f"/bot{TOKEN}/x")
        shown = capsys.readouterr().err
    finally:
        logging.getLogger().handlers[:] = before
        for name in logging.root.manager.loggerDict:
            logging.getLogger(name).setLevel(levels.get(name, logging.NOTSET))
        logging.getLogger().setLevel(levels[""])
        structlog.reset_defaults()
    assert "request failed" in shown
    assert "sent" in shown
    assert TOKEN not in shown
