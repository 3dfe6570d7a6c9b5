"""Real model servers that need no weights: a llama.cpp server that talks nonsense, and LiteLLM."""
