"""The removal of data: what is ours by its content, not by its name."""

from pathlib import Path

import pytest

from rich_agent.composition.removal import (
    DataFolder,
    data_folders,
    remove_data,
    unknown_database,
)
from rich_agent.settings.settings import Settings


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A DATA_DIR, and no folder of the user's data."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("DATA_DIR", str(tmp_path / "data"))
    (tmp_path / "data").mkdir()
    return tmp_path / "data"


def _make_database(pgdata: Path) -> None:
    pgdata.mkdir(parents=True)
    (pgdata / "PG_VERSION").write_text("18\n")


def _entries() -> set[Path]:
    return {entry for folder in data_folders(Settings.load()) for entry in folder.entries}


def test_database_without_our_lease_stays(data_dir: Path) -> None:
    """Another server may run on it, so it is named among what stays."""
    _make_database(data_dir / "postgres")
    for name in ("demo", "sandbox", "eval_report", "postgres.new.old"):
        (data_dir / name).mkdir()
    assert _entries() == set()
    assert unknown_database(Settings.load()) == data_dir / "postgres"
    (data_dir / "postgres.lease").touch()
    assert _entries() == {data_dir / "postgres", data_dir / "postgres.lease"}
    assert unknown_database(Settings.load()) is None


def test_database_on_another_disk_is_removed_with_its_link(data_dir: Path, tmp_path: Path) -> None:
    """Its place is named; a link to something else is not touched."""
    place = tmp_path / "disk/pgdata"
    (data_dir / "postgres.lease").touch()
    (data_dir / "postgres").symlink_to(tmp_path)
    assert _entries() == {data_dir / "postgres.lease"}
    (data_dir / "postgres").unlink()
    (data_dir / "postgres").symlink_to(place)
    _make_database(place)
    assert place in _entries()
    remove_data(data_folders(Settings.load()))
    assert not place.exists()
    assert not data_dir.exists()


def test_files_that_vanish_are_not_counted(data_dir: Path) -> None:
    """A server deletes files while they are counted."""
    (data_dir / "one").write_text("12345")
    (data_dir / "link").symlink_to(data_dir / "one")
    link_bytes = (data_dir / "link").lstat().st_size
    folder = DataFolder(data_dir, (data_dir / "one", data_dir / "link", data_dir / "gone"))
    assert folder.size_bytes == 5 + link_bytes
