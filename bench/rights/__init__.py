"""Rights of documents against rights that are worked out by hand."""
