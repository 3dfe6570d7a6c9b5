"""Commands and buttons for reminders, and for the clock that they go by."""
