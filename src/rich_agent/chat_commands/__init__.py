"""Commands and buttons that are answered anywhere: in Telegram, a terminal, pages of features."""
