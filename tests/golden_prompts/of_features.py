"""Golden prompts of features: `golden.py` beside a feature's tests names them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tests.golden_prompts.files import FEATURES, as_files
from tests.golden_prompts.model_server import RecordingServer
from tests.golden_prompts.singles import Single


@dataclass(frozen=True, slots=True)
class FeaturePrompts:
    """The prompts of a feature: its `singles` by name, and the first words of each."""

    feature: str
    singles: Mapping[str, Single]
    beginnings: Mapping[str, str]

    async def files(self) -> dict[Path, str]:
        """The files of all of them, in the folder `golden` beside the feature's tests."""
        folder = FEATURES / self.feature / "golden"
        written: dict[Path, str] = {}
        for single in self.singles.values():
            server = RecordingServer(beginnings=self.beginnings)
            await single(server)
            written |= as_files("alone", server.requests, folder)
        return written


def prompts_of_features() -> Iterator[FeaturePrompts]:
    """The prompts of all features that have some."""
    for path in sorted(FEATURES.glob("*/golden.py")):
        module = import_module(f"tests.unit.features.{path.parent.name}.golden")
        yield FeaturePrompts(path.parent.name, module.SINGLES, module.BEGINNINGS)
