"""Real model servers: a llama.cpp server that talks nonsense or knows little, and LiteLLM."""
