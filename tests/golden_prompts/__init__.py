"""Every prompt as a model receives it, one file for each situation.

`python -m tests.golden_prompts` writes the files anew; tests/unit/prompts compares them.
"""
