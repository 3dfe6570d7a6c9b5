"""The files of a turn: received, read, put into prompts, and named below the answer."""
