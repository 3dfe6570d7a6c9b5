"""Limits on the data that is read from a server, and on waiting for it."""

MOST_BYTES = 4 * 2**20
"""Most bytes of a message of a server. A larger message ends the connection before it is parsed."""
MOST_TOOLS_LISTED = 500
MOST_PAGES = 20
MOST_PARTS = 32
"""Number of parts of a result that are read."""
FIRST_WAIT_S = 3.0
"""Seconds for which a turn waits for a server that no turn has needed before."""
CONNECT_HTTP_S = 10.0
CONNECT_COMMAND_S = 60.0
"""Seconds for a command to start. It may have to download itself first, as `npx` and `uvx` do."""
REPORT_WAIT_S = 65.0
LIST_EVERY_S = 300.0
"""Seconds between listings of the tools.

A listing shows, for instance, that a login has expired.
"""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 300.0
"""Seconds before the next attempt: doubled with each failure, the longest after a refusal."""
