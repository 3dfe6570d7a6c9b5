"""The quick form of `python -m bench.scale`: it fills, asks, compares and draws."""

import re
from pathlib import Path

import pytest

from bench.scale import __main__ as scale


@pytest.mark.soak
def test_quick_form_measures_a_search_and_draws_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """At a thousand chunks every vector is compared, so none of the nearest is missed."""
    plot = tmp_path / "scale.svg"
    monkeypatch.setattr("sys.argv", ["scale", "--quick", "--plot", str(plot)])
    scale.main()
    said = capsys.readouterr().out
    assert re.search(r"1,\d{3} chunks in \d+ documents", said)
    for name in ("cold, 40 searches", "warm, 8 at once", "words alone", "vectors alone"):
        assert re.search(rf"^  {name}( +[\d.]+){{5}}$", said, re.MULTILINE), name
    assert "recall@10 1.000" in said
    share = re.search(r"words: ([\d.]+) of the ten", said)
    assert share
    assert 0.95 <= float(share[1]) <= 1
    assert "1 at once" in plot.read_text("utf-8")
