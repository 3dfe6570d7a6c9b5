"""Commands and buttons for tasks, notes and the calendar; none calls a model."""
