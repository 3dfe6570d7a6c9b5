"""The time zone of the machine."""

from pathlib import Path

import pytest

from rich_agent.commands.machine_zone import machine_zone


@pytest.mark.parametrize(
    ("variable", "link", "zone"),
    [
        ("", "Europe/Berlin", "Europe/Berlin"),
        ("Asia/Tokyo", "Europe/Berlin", "Asia/Tokyo"),
        (":Asia/Tokyo", "Etc/UTC", "Asia/Tokyo"),
        ("", "Etc/UTC", ""),
        ("UTC", "Europe/Berlin", ""),
        ("CET-1CEST", "Europe/Berlin", ""),
    ],
)
def test_machine_zone_is_a_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, link: str, zone: str
) -> None:
    """The variable comes first; UTC tells nothing of where the user is."""
    monkeypatch.setenv("TZ", variable)
    local_time = tmp_path / "localtime"
    local_time.symlink_to(tmp_path / "zoneinfo" / link)
    assert machine_zone(local_time) == zone
