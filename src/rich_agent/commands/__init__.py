"""What `rich-agent` does, one module for each command or group of them; `cli.py` parses."""
