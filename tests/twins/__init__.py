"""The repositories without a database, for tests: they keep the contracts of those with one."""
