"""The type of times, and the clocks that set them when a row is written."""

from sqlalchemy import DateTime, text

MOMENT = DateTime(timezone=True)
CLOCK = text("clock_timestamp()")
"""The time of the statement."""
NOW = text("now()")
"""The time at which the transaction began."""
