"""The name of the HNSW index, for the code that builds it and the code that uses it."""

from hashlib import sha256


def hnsw_name(model: str, dimensions: int) -> str:
    """The name of the HNSW index over the vectors of one space."""
    space = f"{model}\n{dimensions}"
    return f"rag_embeddings_hnsw_{sha256(space.encode()).hexdigest()[:8]}"
