"""Commands of `rich-agent`, one module for each command or group of them; `cli.py` parses."""
