"""Commands and buttons that are answered on any surface: Telegram, the terminal, the web chat."""
