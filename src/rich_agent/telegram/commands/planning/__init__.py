"""Commands that show what a user plans and notes; none of them calls a model."""
