"""How well the content of web pages is separated from their boilerplate."""
