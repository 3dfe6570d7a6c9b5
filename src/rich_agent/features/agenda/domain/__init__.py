"""Tasks, projects, goals, notes and the schedule of one user."""
