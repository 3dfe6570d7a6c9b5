"""The kinds of connectors: what a declaration gives, and what becomes of one that is broken."""

from pathlib import Path

import pytest
from pydantic import Field

from rich_agent.commands.diagnosis.features import check_features
from rich_agent.composition.features import NO_FEATURES
from rich_agent.documents.connectors import kinds
from rich_agent.documents.connectors.configuration import ServiceConfig
from rich_agent.documents.connectors.kinds import ConnectorKind, Opening, Service, options_in
from rich_agent.documents.connectors.port import Connector
from rich_agent.documents.source import SourceError
from rich_agent.domain.intranet import Intranet
from rich_agent.installed import Loaded
from rich_agent.runtime.own_package import extra_hint

OPENING = Opening(secret="", source="wiki", folder=Path("nowhere"), intranet=Intranet())


class WikiConfig(ServiceConfig):
    """Options of a wiki."""

    address: str = Field(description="Its address.")
    spaces: tuple[str, ...] = Field(default=(), description="Its spaces.")


def open_wiki(_config: WikiConfig, _opening: Opening) -> Connector:
    """No test opens it."""
    raise NotImplementedError


def load_wiki() -> Service[WikiConfig]:
    """Load the wiki."""
    return Service(WikiConfig, open_wiki)


def load_broken() -> Service[WikiConfig]:
    """Fail, as a module does whose import fails."""
    raise ImportError("no wiki today")


WIKI = ConnectorKind(name="wiki", load=load_wiki)
BROKEN = ConnectorKind(name="wiki", load=load_broken)


def test_options_of_a_kind_are_read_from_words() -> None:
    """One that can be repeated is a list, of another one the last counts."""
    words = ["address=a", "spaces=x", "address=b=c", "spaces=y"]
    assert options_in(WIKI, words) == {"address": "b=c", "spaces": ["x", "y"]}
    with pytest.raises(SourceError, match="is not an option") as caught:
        options_in(WIKI, ["site=a"])
    assert "address, spaces" in caught.value.hint


def test_kind_without_its_library_says_how_to_get_it() -> None:
    """Nothing is loaded then."""
    kind = ConnectorKind(
        name="wiki", load=load_broken, library="no_such_library", install="pip install wiki"
    )
    with pytest.raises(SourceError, match="no_such_library is missing") as caught:
        kind.open(WikiConfig(address="a"), OPENING)
    assert "pip install wiki" in caught.value.hint


def test_kind_whose_module_is_broken_is_an_error_with_its_reason() -> None:
    """Also for its options, which are read first."""
    with pytest.raises(SourceError, match="ImportError: no wiki today"):
        _ = BROKEN.config


async def test_doctor_names_a_kind_whose_module_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Next to those that could not be declared, which it says, too."""
    loaded = Loaded({"wiki": BROKEN}, (), {"wiki": "strange 1.0"})
    monkeypatch.setattr("rich_agent.commands.diagnosis.features.installed_kinds", lambda: loaded)
    results = [one async for one in check_features(NO_FEATURES)]
    (result,) = [one for one in results if one.name.startswith("connector")]
    assert (result.name, result.level) == ("connector wiki", "warn")
    assert "no wiki today" in result.detail


def test_entry_point_that_is_no_kind_is_refused() -> None:
    """Such as a feature, in the wrong group."""
    assert list(kinds._problems_of("feature", ())) == ["it is no `ConnectorKind`"]


def test_kind_whose_library_is_in_an_extra_tells_how_to_add_it() -> None:
    """The command depends on how this program was installed."""
    kind = ConnectorKind(
        name="wiki", load=load_broken, library="no_such_library", extra="connectors"
    )
    with pytest.raises(SourceError, match="no_such_library is missing") as caught:
        kind.open(WikiConfig(address="a"), OPENING)
    assert caught.value.hint == extra_hint("connectors")
