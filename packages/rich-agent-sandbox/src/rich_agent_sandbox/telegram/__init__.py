"""The Bot API over HTTP, and the chats behind it."""
