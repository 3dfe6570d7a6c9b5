"""What model servers differ in, and how each is spoken to."""
