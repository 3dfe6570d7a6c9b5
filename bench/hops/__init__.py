"""Questions that need a page to know which other page answers them, asked through the bot."""
