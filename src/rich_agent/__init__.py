"""rich-agent: a self-hosted Telegram assistant for one-to-one chats."""

import os

# LangGraph reads it when it is imported, and would otherwise build what a stored row names.
os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
