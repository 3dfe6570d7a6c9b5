"""A guard of what a turn costs: ratios and counts, compared with committed ones."""
