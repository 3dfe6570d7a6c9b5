"""Search terms of texts in any language. Loads the stemmers."""

from rich_agent.domain.retrieval.search_terms import term_counts as term_counts
