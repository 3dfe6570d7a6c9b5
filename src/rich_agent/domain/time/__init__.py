"""Times as people write them: zones, wall times, rules of recurrence. No module reads the clock."""
