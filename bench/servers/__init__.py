"""Ten conversations with the bot against each model server that the sandbox stands in for."""
