"""Tavily over HTTP."""
