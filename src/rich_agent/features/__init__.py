"""The project's own features, a folder each; they use the same door as other packages."""
