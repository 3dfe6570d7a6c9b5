"""The durable inbox: updates, lanes, wakeups, attempts, and dead letters."""
