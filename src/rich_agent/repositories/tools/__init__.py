"""What is stored about tools: their calls, and how those of servers were first seen."""
