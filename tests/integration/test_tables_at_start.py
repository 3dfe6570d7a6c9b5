"""Tables of features as a process finds them when it opens its databases."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from typer.testing import CliRunner

from rich_agent.cli import app
from rich_agent.composition import storage
from rich_agent.composition.storage import DatabaseUrls, open_databases
from rich_agent.installed import choose_features, installed_features
from rich_agent.repositories.database.schema import feature_trees
from rich_agent.settings.settings import Settings
from tests.integration.catalogue import execute, read

VERSION = "SELECT version_num FROM alembic_version_voice"


def choose_all() -> None:
    """Forget which features were left out."""
    choose_features((), ("voice",))
    choose_features((), ())


@pytest.fixture(autouse=True)
def choice() -> Iterator[None]:
    """The features of the process, all of them again after the test."""
    yield
    choose_all()


def locate(monkeypatch: pytest.MonkeyPatch, url: str, *, embedded: bool) -> None:
    """Let the settings lead to a database as if it were embedded, or a server's."""

    @contextmanager
    def located(_: Settings, **__: bool) -> Iterator[DatabaseUrls]:
        yield DatabaseUrls(url, url, url, is_embedded=embedded)

    monkeypatch.setattr(storage, "locate_databases", located)


def left_out() -> dict[str, str]:
    """The features that the process does without, by reason."""
    return {one.name: one.reason for one in installed_features().broken}


async def test_embedded_database_gets_the_tables_of_a_feature_switched_on_later(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The core's tables are there already; the process makes the feature's before it serves."""
    execute(database_url, "DROP TABLE alembic_version_voice, heard_recordings, voice_choices")
    locate(monkeypatch, database_url, embedded=True)
    async with open_databases(Settings.load()):
        assert left_out() == {}
    assert read(database_url, VERSION) == {(feature_trees()["voice"].revisions()[-1],)}
    assert read(database_url, "SELECT user_id FROM heard_recordings") == set()


async def test_server_without_the_tables_of_a_feature_is_left_as_it_is(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator migrates; until then the process does without the feature."""
    execute(database_url, "DROP TABLE alembic_version_voice")
    locate(monkeypatch, database_url, embedded=False)
    async with open_databases(Settings.load()):
        assert list(left_out()) == ["voice"]
        assert "rich-agent migrate" in left_out()["voice"]


async def test_embedded_database_newer_than_a_feature_leaves_it_out(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Migrating cannot help; the rest of the program starts."""
    execute(
        database_url,
        "UPDATE alembic_version_voice SET version_num = 'voice_9999'",
        "COMMENT ON TABLE alembic_version_voice IS 'voice_9999'",
    )
    locate(monkeypatch, database_url, embedded=True)
    async with open_databases(Settings.load()):
        assert list(left_out()) == ["voice"]
        assert "newer" in left_out()["voice"]


def test_migrate_fails_if_the_tables_of_an_own_feature_could_not_be_changed(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables of other features are changed all the same, and a repetition does the rest."""
    revisions = {name: tree.revisions()[-1] for name, tree in feature_trees().items()}
    execute(
        database_url,
        "DROP TABLE alembic_version_voice, heard_recordings, voice_choices",
        "UPDATE alembic_version_broadcast SET version_num = 'broadcast_9999'",
    )
    locate(monkeypatch, database_url, embedded=False)
    failed = CliRunner().invoke(app, ["migrate"])
    assert failed.exit_code == 1, failed.output
    assert "feature broadcast is left out: its tables: SchemaError" in failed.stderr
    assert "Run `rich-agent migrate` again" in failed.stderr
    assert f"applied {revisions['voice']}" in failed.stdout
    assert read(database_url, VERSION) == {(revisions["voice"],)}
    execute(
        database_url,
        f"UPDATE alembic_version_broadcast SET version_num = '{revisions['broadcast']}'",
    )
    choose_all()
    repeated = CliRunner().invoke(app, ["migrate"])
    assert (repeated.exit_code, repeated.stderr) == (0, "")
