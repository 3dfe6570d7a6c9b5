"""The API of OpenAI as far as chat clients use it: one model, chat completions."""
