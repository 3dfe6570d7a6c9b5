"""The tools that a model may call: each checks its arguments, and acts for one user only."""
