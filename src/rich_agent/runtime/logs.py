"""Structured logs on stderr, without secrets and without texts of users."""

import io
import logging
import sys
import warnings
from typing import Literal, TextIO

import structlog
from typing_extensions import override

from rich_agent.domain.redaction import redact
from rich_agent.domain.text import printable
from rich_agent.runtime.colours import is_coloured

_RETRY = "stamina.retry_scheduled"
_QUIET = (
    "alembic",
    "httpx",
    "httpx2",
    "httpcore",
    "httpcore2",
    "openai",
    "telegram",
    "asyncio",
    "mcp",
)


class _RedactingFormatter(structlog.stdlib.ProcessorFormatter):
    """Formats the records of this program and its libraries, and redacts secrets in each line."""

    secrets: frozenset[str] = frozenset()

    @override
    def format(self, record: logging.LogRecord) -> str:
        """The redacted line of a record, with its traceback."""
        return redact(super().format(record), self.secrets)


def _without_controls(
    _logger: object, _name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """The event without escape sequences, which a terminal would execute when it shows the log."""
    return {
        name: printable(value) if isinstance(value, str) else value for name, value in event.items()
    }


def _without_retries(
    _logger: object, _name: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """The event, unless it is one of stamina's, which does not say what failed.

    Failures are logged where they are handled.
    """
    if event.get("event") == _RETRY:
        raise structlog.DropEvent
    return event


def _printable_traceback(target: TextIO, exc_info: structlog.typing.ExcInfo) -> None:
    """Write a traceback without control characters."""
    buffer = io.StringIO()
    structlog.dev.plain_traceback(buffer, exc_info)
    target.write(printable(buffer.getvalue()))


def _quiet_libraries() -> None:
    # LangChain's advice on methods that are not used here; the refusal is handled.
    warnings.filterwarnings("ignore", message="Invalid schema for OpenAI's structured output")
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    # It warns of each try to connect; outages are told where statements fail.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)


def configure_logging(
    form: Literal["json", "console"], level: str, secrets: frozenset[str] = frozenset()
) -> None:
    """Send the logs of this program and its libraries to stderr in one form, without `secrets`."""
    processors: list[structlog.typing.Processor] = [
        _without_retries,
        structlog.contextvars.merge_contextvars,
        _without_controls,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer()
        if form == "json"
        else structlog.dev.ConsoleRenderer(
            colors=is_coloured(sys.stderr),
            # The default shows local variables, which hold texts of users.
            exception_formatter=_printable_traceback,
        )
    )
    last_processors = [structlog.processors.format_exc_info] if form == "json" else []
    handler = logging.StreamHandler(sys.stderr)
    formatter = _RedactingFormatter(
        foreign_pre_chain=processors,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *last_processors,
            renderer,
        ],
    )
    formatter.secrets = secrets
    handler.setFormatter(formatter)
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    _quiet_libraries()
    structlog.configure(
        processors=[*processors, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
