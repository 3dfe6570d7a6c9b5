"""Tests of the OpenAI-compatible API over HTTP."""
