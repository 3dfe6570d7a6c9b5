"""Which tools fit a message best."""

from collections.abc import Sequence

import pytest
from typing_extensions import override

from rich_agent.domain.tools import ToolSpec
from rich_agent.errors import UpstreamUnavailableError
from rich_agent.tools.toolbox import ToolChooser
from tests.scripted import ScriptedEmbeddings

AWAY = UpstreamUnavailableError("embeddings", "no connection")
TOOLS = [
    ToolSpec("issues__create", "Opens an issue in the tracker.", {}),
    ToolSpec("lights__switch", "Switches a light on or off.", {}),
    ToolSpec("天気", "東京の天気を調べる", {}),
]


class Directions(ScriptedEmbeddings):
    """Puts each text on the axis of the tool that it is about."""

    @override
    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector each."""
        self.texts += texts
        return [[float("issue" in one), float("light" in one or "lamp" in one)] for one in texts]


async def best(chooser: ToolChooser, words: str) -> str:
    """The name of the tool that comes first."""
    return (await chooser.best_first(TOOLS, words))[0].name


async def test_chooser_goes_by_meaning() -> None:
    """The message shares no word with the tool; descriptions are embedded once."""
    model = Directions()
    chooser = ToolChooser(model)
    assert await best(chooser, "the lamp is too bright") == "lights__switch"
    for _ in range(2):
        assert await best(chooser, "the lamp") == "lights__switch"
    assert len(model.texts) == len(TOOLS) + 2


@pytest.mark.parametrize("model", [None, ScriptedEmbeddings(failure=AWAY)])
async def test_chooser_goes_by_words_without_a_model(model: ScriptedEmbeddings | None) -> None:
    """One that fails is left alone for a while; words are found without spaces between them too."""
    chooser = ToolChooser(model)
    assert await best(chooser, "switch off all lights") == "lights__switch"
    assert await best(chooser, "please open issues for these") == "issues__create"
    assert await best(chooser, "明日の天気は") == "天気"
    assert len(await chooser.best_first(TOOLS, "")) == len(TOOLS)
    assert model is None or len(model.texts) == len(TOOLS)
