"""Tables of both databases as SQLAlchemy declares them, by subject."""
