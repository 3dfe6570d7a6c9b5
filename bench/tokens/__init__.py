"""The estimate of tokens beside the tokenizers of OpenAI's models."""
