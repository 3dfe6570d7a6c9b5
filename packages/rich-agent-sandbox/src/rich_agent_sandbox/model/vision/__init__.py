"""What can be computed from the pixels of an image."""
