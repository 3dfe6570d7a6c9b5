"""The reranker as searches use it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from rich_agent.errors import DailyLimitError, UpstreamError, UpstreamTimeoutError
from rich_agent.runtime.reranking import Reranking
from tests import make

TEXTS = ("a", "b", "c")


@dataclass(slots=True)
class ScriptedReranker:
    """Turns the order round, raises `failure`, or never answers."""

    name: str = "scripted"
    failure: Exception | None = None
    is_silent: bool = False
    asked: list[str] = field(default_factory=list)

    async def rank(self, query: str, texts: Sequence[str]) -> list[int]:
        """See `Reranker`."""
        self.asked.append(query)
        if self.is_silent:
            await asyncio.Event().wait()
        if self.failure:
            raise self.failure
        return list(range(len(texts)))[::-1]


async def test_reranking_gives_the_new_order() -> None:
    """One text has no order that anybody has to be asked for."""
    model, failures = ScriptedReranker(), list[UpstreamError]()
    reordering = Reranking(model, 1.0, 20).of("q", failures.append)
    assert await reordering.order(TEXTS) == [2, 1, 0]
    assert list(await reordering.order(["a"])) == [0]
    assert (reordering.candidates, model.asked, failures) == (20, ["q"], [])


@pytest.mark.parametrize(
    ("model", "kind"),
    [
        (ScriptedReranker(failure=UpstreamError("reranker", "down")), UpstreamError),
        (ScriptedReranker(is_silent=True), UpstreamTimeoutError),
    ],
)
async def test_reranking_keeps_the_order_and_tells(
    model: ScriptedReranker, kind: type[UpstreamError]
) -> None:
    """A failure, or an answer that does not come in time, is told once and raises nothing."""
    failures: list[UpstreamError] = []
    order = Reranking(model, 0.01, 20).of("q", failures.append).order
    assert list(await order(TEXTS)) == [0, 1, 2]
    assert [type(one) for one in failures] == [kind]


async def test_reranking_leaves_a_daily_limit_to_the_turn() -> None:
    """It is no failure of the reranker."""
    model = ScriptedReranker(failure=DailyLimitError("tokens", 1, make.NOW, 1.0))
    with pytest.raises(DailyLimitError):
        await Reranking(model, 1.0, 20).of("q").order(TEXTS)


async def test_reranking_asks_once_in_a_turn() -> None:
    """An answer that was begun early has its passages in the order of the planned one."""
    model = ScriptedReranker()
    of_turn = Reranking(model, 1.0, 20).for_one_turn()
    first, again = [await of_turn.of("q").order(TEXTS) for _ in range(2)]
    assert first == again == [2, 1, 0]
    assert model.asked == ["q"]
    await of_turn.of("other").order(TEXTS)
    assert model.asked == ["q", "other"]
