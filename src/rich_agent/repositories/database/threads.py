"""SQL for the threads of a user: the main conversation, and those of topics and programs."""

from typing import LiteralString

# With a question in a group that is being answered.
THREADS_OF_USER: LiteralString = (
    "(thread_id = %(thread_id)s OR starts_with(thread_id, %(thread_id)s || ':'))"
)
"""`thread_id` is the main thread of the user, whose id the others begin with."""
