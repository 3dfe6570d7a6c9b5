"""Failures that are no reason to stop: they are logged, and the work goes on behind them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import structlog

_log = structlog.get_logger()


@contextmanager
def survived(
    event: str, *errors: type[Exception], level: Literal["debug", "info", "warning"] = "info"
) -> Iterator[None]:
    """Leave the block at the first of these errors, and go on; it is logged as `event`."""
    try:
        yield
    except errors as error:
        getattr(_log, level)(event, error=str(error))
