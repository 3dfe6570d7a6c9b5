"""The one place where implementations are chosen."""
