"""Runtime of a process: tasks, fences, signals, logs, and processes for untrusted images."""
