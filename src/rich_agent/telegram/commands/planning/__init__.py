"""Commands for what a user plans and notes, and for what was done for them; none calls a model."""
