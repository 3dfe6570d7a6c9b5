"""Calls of the embedding model: how texts are portioned, and what follows a failure."""

import asyncio
from collections.abc import Callable, Iterator, Sequence

import pytest
import stamina

from rich_agent.documents.index.embedding import (
    CALLS_AT_ONCE,
    TEXTS_PER_CALL,
    TOKENS_PER_CALL,
    Embedder,
    calls,
)
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.domain.text import estimate_tokens
from rich_agent.errors import (
    UpstreamError,
    UpstreamRateLimitedError,
    UpstreamRefusedError,
    UpstreamUnavailableError,
)
from rich_agent.ports.models import EmbeddingModel

AWAY = UpstreamUnavailableError("embeddings", "cannot be reached")
WRONG_KEY = UpstreamRefusedError("embeddings", "refused with 401", hint="Check the key.")
NOT_THIS = UpstreamRefusedError("embeddings", "refused with 400")


class Model:
    """Answers each call, or fails as it is told by its texts."""

    name = "model"
    dimensions = 2

    def __init__(self, fail: Callable[[Sequence[str]], UpstreamError | None]) -> None:
        self.calls: list[list[str]] = []
        self.most_at_once = 0
        self._at_once = 0
        self._fail = fail

    async def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """See `EmbeddingModel.embed`."""
        self.calls.append(list(texts))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        await asyncio.sleep(0)
        self._at_once -= 1
        error = self._fail(texts)
        if error:
            raise error
        return [[1.0, 0.0] for _ in texts]

    def of_passages(self) -> EmbeddingModel:
        """See `EmbeddingModel.of_passages`."""
        raise NotImplementedError

    def in_space(self, space: VectorSpace) -> EmbeddingModel:
        """See `EmbeddingModel.in_space`."""
        raise NotImplementedError


@pytest.fixture(autouse=True)
def _without_waiting() -> Iterator[None]:
    """Three attempts, without a pause."""
    with stamina.set_testing(testing=True, attempts=3, cap=True):
        yield


def texts(count: int) -> dict[str, str]:
    """Texts by their hashes."""
    return {f"hash-{number}": f"text {number}" for number in range(count)}


def test_calls_hold_as_many_texts_as_a_server_takes() -> None:
    """At most 64 and about 16,000 tokens; a longer text goes alone; none is lost."""
    short = [len(call) for call, _ in calls(texts(150))]
    long = {str(number): "word " * 8_000 for number in range(4)}
    assert short == [TEXTS_PER_CALL, TEXTS_PER_CALL, 22]
    portions = list(calls(long | {"longest": "word " * 40_000} | texts(3)))
    assert [list(call) for call, _ in portions] == [
        ["0"],
        ["1"],
        ["2"],
        ["3"],
        ["longest"],
        ["hash-0", "hash-1", "hash-2"],
    ]
    for call, tokens in portions:
        assert tokens == sum(map(estimate_tokens, call.values()))
        assert len(call) == 1 or tokens <= TOKENS_PER_CALL
    assert list(calls({})) == []


async def test_embedder_makes_four_calls_at_once() -> None:
    """No more, and counts calls and tokens."""
    model = Model(lambda _texts: None)
    embedder = Embedder(model)
    done = await embedder.embed(texts(640))
    assert len(done.vectors) == 640
    assert done.failed == {}
    assert model.most_at_once == CALLS_AT_ONCE
    assert embedder.calls == len(model.calls) == 10
    assert embedder.tokens == sum(map(estimate_tokens, texts(640).values()))


@pytest.mark.parametrize("bad", [[0], [63], [20, 41], [7, 8, 9]])
async def test_embedder_finds_the_text_that_is_refused(bad: list[int]) -> None:
    """The call is halved until only such texts are left."""
    refused = {f"text {number}" for number in bad}
    model = Model(lambda asked: NOT_THIS if refused & set(asked) else None)
    embedder = Embedder(model)
    done = await embedder.embed(texts(64))
    assert set(done.failed) == {f"hash-{number}" for number in bad}
    assert len(done.vectors) == 64 - len(bad)
    assert all("400" in reason for reason in done.failed.values())
    assert embedder.calls <= 1 + 14 * len(bad)
    assert not embedder.has_given_up
    assert embedder.failures == 0


async def test_embedder_gives_up_a_model_that_refuses_every_text() -> None:
    """It is not worth a call for each."""
    model = Model(lambda _texts: NOT_THIS)
    embedder = Embedder(model)
    done = await embedder.embed(texts(640))
    assert len(done.failed) == 640
    assert embedder.has_given_up
    assert embedder.calls < 80


@pytest.mark.parametrize(("error", "least", "most"), [(AWAY, 9, 18), (WRONG_KEY, 1, 4)])
async def test_embedder_gives_up_a_model_that_fails(
    error: UpstreamError, least: int, most: int
) -> None:
    """After three failures that may pass, each tried again; after one that settings explain."""
    model = Model(lambda _texts: error)
    embedder = Embedder(model)
    done = await embedder.embed(texts(640))
    assert len(done.failed) == 640
    assert set(done.failed.values()) == {" ".join(error.explain().split())}
    assert embedder.has_given_up
    assert least <= embedder.calls <= most
    assert (await embedder.embed({"one": "more"})).failed.keys() == {"one"}


async def test_embedder_forgives_what_is_followed_by_success() -> None:
    """Single failures do not add up to giving up."""
    model = Model(lambda asked: AWAY if asked[0].endswith("0") else None)
    embedder = Embedder(model)
    for number in range(12):
        await embedder.embed({str(number): f"text {number % 2}"})
    assert embedder.failures == 6
    assert not embedder.has_given_up


async def test_embedder_waits_with_all_calls_when_it_is_asked_to() -> None:
    """A wait that the server tells one call holds for the others too."""
    loop = asyncio.get_running_loop()
    limited_at: list[float] = []
    later: list[float] = []
    limited = asyncio.Event()

    def limit(_asked: Sequence[str]) -> UpstreamError | None:
        if limited_at:
            later.append(loop.time())
            return None
        limited_at.append(loop.time())
        limited.set()
        return UpstreamRateLimitedError("embeddings", 0.05)

    embedder = Embedder(Model(limit))
    first = asyncio.create_task(embedder.embed({"a": "a"}))
    await limited.wait()
    done = await embedder.embed({"b": "b"})
    assert done.vectors.keys() == {"b"}
    assert (await first).vectors.keys() == {"a"}
    assert min(later) >= limited_at[0] + 0.05
