"""How well the content of web pages is told from what stands around it."""
