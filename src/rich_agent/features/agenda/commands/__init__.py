"""Commands and buttons for tasks, notes and the schedule; none calls a model."""
