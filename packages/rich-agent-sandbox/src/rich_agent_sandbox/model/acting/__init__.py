"""Acts: which of the tools on offer a message asks for, with what, and what came of it."""
