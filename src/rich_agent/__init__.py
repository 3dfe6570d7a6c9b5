"""rich-agent: a self-hosted Telegram assistant for one-to-one chats."""
