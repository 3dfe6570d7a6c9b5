"""OpenAI-compatible model servers over HTTP."""
