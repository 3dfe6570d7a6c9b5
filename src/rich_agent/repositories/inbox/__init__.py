"""The durable inbox: updates, lanes, wakeups, and updates that were given up."""
