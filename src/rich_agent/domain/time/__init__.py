"""Times as people give them: zones, clocks on the wall, rules of recurrence. Knows no clock."""
