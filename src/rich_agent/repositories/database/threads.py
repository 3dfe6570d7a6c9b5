"""SQL for the threads of a user: the main conversation, and those of topics and programs."""

from typing import LiteralString

# With a question in a group that is being answered.
THREADS_OF_USER: LiteralString = (
    "(thread_id = %(thread_id)s OR starts_with(thread_id, %(thread_id)s || ':'))"
)
"""The condition for the threads of a user; `thread_id` is the main thread.

The ids of the user's other threads begin with that of the main thread.
"""
NOT_REPLACED: LiteralString = """NOT EXISTS (
    SELECT FROM messages AS again
    WHERE again.conversation_id = said.conversation_id AND again.role = 'user'
        AND again.meta_json #>> '{request,replaces}' = said.request_id
        AND again.id > said.id
)"""
"""The condition that no later turn replaces a message `said`."""
TITLE: LiteralString = f"""coalesce(conversation.chosen_title, (
    SELECT left(content, 500) FROM messages AS said
    WHERE said.conversation_id = conversation.id AND said.role = 'user' AND {NOT_REPLACED}
    ORDER BY said.id LIMIT 1
), '')"""
"""The title of a `conversation`: the one that the user chose, else its first words."""
