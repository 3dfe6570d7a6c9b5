"""Work that waits for the operator: approvals, dead letters, due work."""
