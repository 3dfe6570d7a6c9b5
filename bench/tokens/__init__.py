"""The estimates of tokens compared with the tokenizers of OpenAI's models."""
