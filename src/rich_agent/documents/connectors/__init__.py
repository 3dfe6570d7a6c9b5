"""Services where documents live, each behind the same interface."""
