"""The Telegram surface: receives, serves and answers; reaches everything through ports."""
