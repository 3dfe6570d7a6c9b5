"""A stand-in for Confluence Cloud, over real HTTP."""
