"""What a process runs on: tasks, fences, signals, logs, and processes for untrusted images."""
