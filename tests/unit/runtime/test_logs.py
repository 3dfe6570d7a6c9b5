"""Log lines hold no secret."""

import io
import logging
import sys
from typing import Literal

import pytest
import structlog
from pydantic import SecretStr
from typing_extensions import override

from rich_agent.domain.redaction import redact
from rich_agent.runtime.logs import configure_logging
from rich_agent.settings.models import ChatSettings, ModelSettings
from rich_agent.settings.settings import Settings
from rich_agent.settings.storage import StorageSettings
from rich_agent.settings.web import WebSettings
from rich_agent.terminal.console import out

TOKEN = "123456789:AAFabcdefghijklmnopqrstuvwxyz0123456"


@pytest.mark.req("DEP-2")
@pytest.mark.parametrize(
    "secret",
    [
        f"POST https://api.telegram.org/bot{TOKEN}/getMe",
        "key sk-abcdefghijklmnop",
        "token ra_-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO",
        "code rac_-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO",
        "hook rah_-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO",
        "cookie ras_-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO",
        "tvly-abcdefghijklmnop",
        "postgresql://bot:hunter22@db.example/bot",
        "postgresql://bot:p@ss@hunter22@db.example/bot",
        "redis://:hunter22@cache:6379/0",
        "password=hunter22 host=db",
        "?api_key=hunter22&x=1",
        "Authorization: Bearer hunter22hunter22",
        "AIzaabcdefghijklmnopqrstuvwx",
        "hf_abcdefghijklmnopqr",
        "xai-abcdefghijklmnopqr",
        "xoxb-abcdefghijkl-mnop",
        "github_pat_abcdefghijklmnop",
    ],
)
def test_redact_removes_secrets(secret: str) -> None:
    """Tokens, keys and passwords are replaced."""
    shown = redact(secret)
    assert "***" in shown
    for word in ("AAFabc", "abcdefghijkl", "hunter22"):
        assert word not in shown


@pytest.mark.parametrize(
    "text",
    ["https://example.com:8443/a?b=c", "at 12:30 @anna came", "tokens: 5, total_tokens=12", "a:b"],
)
def test_redact_leaves_other_text(text: str) -> None:
    """An address with a port, times, names and counts stay."""
    assert redact(text) == text


def test_redact_knows_the_secrets_of_the_settings() -> None:
    """A key that looks like no key goes by its value; one of a few letters would hit words."""
    settings = Settings(
        models=ModelSettings(chat=ChatSettings(api_key=SecretStr("correct horse battery"))),
        web=WebSettings(metrics_token=SecretStr("any")),
        storage=StorageSettings(database_url="postgresql://bot:open%20sesame@db/bot"),
    )
    text = "many say: correct horse battery, and open sesame or open%20sesame"
    assert redact(text, settings.secrets) == "many say: ***, and *** or ***"


@pytest.mark.req("DEP-2")
@pytest.mark.parametrize("form", ["json", "console"])
def test_configure_logging_redacts_tracebacks_of_libraries(
    capsys: pytest.CaptureFixture[str], form: Literal["json", "console"]
) -> None:
    """A token in somebody's exception does not reach the log."""
    configure_logging(form, "info")
    try:
        raise RuntimeError(f"GET /bot{TOKEN}/getMe failed")  # noqa: TRY301 - a library's error
    except RuntimeError:
        logging.getLogger("somelib").exception("request failed")
        structlog.get_logger().info("sent", url=f"/bot{TOKEN}/x")
    shown = capsys.readouterr().err
    assert "request failed" in shown
    assert "sent" in shown
    assert TOKEN not in shown


@pytest.mark.parametrize(("no_color", "is_coloured"), [("", True), ("1", False)])
def test_terminals_get_colours_unless_told_otherwise(
    no_color: str,
    is_coloured: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """NO_COLOR is heeded for results and for log lines; empty, it stands for nothing."""

    class Terminal(io.StringIO):
        @override
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("NO_COLOR", no_color)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, Terminal())
    out("a result", colour="red")
    configure_logging("console", "info")
    structlog.get_logger().warning("a warning")
    for stream in (sys.stdout, sys.stderr):
        assert isinstance(stream, Terminal)
        assert ("\x1b[" in stream.getvalue()) is is_coloured


@pytest.mark.parametrize("form", ["console", "json"])
def test_log_lines_hold_no_escape_sequences(
    form: Literal["console", "json"], capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither in what an event tells nor in a traceback nor in a library's line."""
    configure_logging(form, "info")
    hostile = "a\x1b]0;owned\x07b\x9b2Jc"
    structlog.get_logger().warning(hostile, url=hostile)
    logging.getLogger("library").warning(hostile)
    try:
        raise ValueError(hostile)  # noqa: TRY301 - a traceback is wanted
    except ValueError:
        structlog.get_logger().exception("broke")
    said = capsys.readouterr().err
    assert "owned" in said
    assert not {"\x1b", "\x07", "\x9b"} & set(said)
