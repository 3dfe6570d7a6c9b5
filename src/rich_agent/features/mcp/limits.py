"""Limits on what is read of a server, and on how long it is waited for."""

MOST_BYTES = 4 * 2**20
"""A message of a server: a larger one ends the connection before it is parsed."""
MOST_TOOLS_LISTED = 500
MOST_PAGES = 20
MOST_PARTS = 32
"""Parts of a result that are looked at."""
FIRST_WAIT_S = 3.0
"""What a turn waits for a server that it is the first to need."""
CONNECT_HTTP_S = 10.0
CONNECT_COMMAND_S = 60.0
"""A command may have to download itself first, as `npx` and `uvx` do."""
REPORT_WAIT_S = 65.0
LIST_EVERY_S = 300.0
"""How often the tools are listed again: so a login that died in silence is found out."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 300.0
"""Before a connection is tried again: doubled with each failure, the longest after a refusal."""
