"""The repositories without a database: they keep the same contracts, for one process's lifetime."""
