"""Questions without an answer and 👎, grouped by subject, as work for those who write documents."""
