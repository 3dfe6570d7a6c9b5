"""Ten conversations with the bot on each model server that the sandbox imitates."""
