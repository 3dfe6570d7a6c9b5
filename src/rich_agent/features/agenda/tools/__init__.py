"""Tools for tasks, projects, goals, notes and the schedule."""
