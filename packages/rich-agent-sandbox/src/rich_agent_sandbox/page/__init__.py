"""The chat page, and `/sim`, which it and tests use."""
