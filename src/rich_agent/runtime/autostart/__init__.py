"""Has the system start the bot: with the user's systemd, or with launchd."""
