"""Tests of the MCP server over HTTP."""
