"""The Bot API and its file server."""
