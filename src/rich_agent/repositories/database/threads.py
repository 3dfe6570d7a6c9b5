"""SQL for the threads of a user: the main conversation, and those of topics and programs."""

from typing import LiteralString

# With a question in a group that is being answered.
THREADS_OF_USER: LiteralString = (
    "(thread_id = %(thread_id)s OR starts_with(thread_id, %(thread_id)s || ':'))"
)
"""`thread_id` is the main thread of the user, whose id the others begin with."""
NOT_REPLACED: LiteralString = """NOT EXISTS (
    SELECT FROM messages AS again
    WHERE again.conversation_id = said.conversation_id AND again.role = 'user'
        AND again.meta_json #>> '{request,replaces}' = said.request_id
        AND again.id > said.id
)"""
"""Of a message `said`: no later turn was to replace it."""
TITLE: LiteralString = f"""coalesce(conversation.chosen_title, (
    SELECT left(content, 500) FROM messages AS said
    WHERE said.conversation_id = conversation.id AND said.role = 'user' AND {NOT_REPLACED}
    ORDER BY said.id LIMIT 1
), '')"""
"""Of a `conversation`: what the user called it, else its first words."""
