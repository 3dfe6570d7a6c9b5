"""Markdown as people's tools write it: MDX, Obsidian, MkDocs, Hugo, Jekyll, GitBook and others."""
