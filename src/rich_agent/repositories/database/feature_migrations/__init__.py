"""The Alembic environment of the features' migrations, which lie with the features."""
