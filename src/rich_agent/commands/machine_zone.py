"""The time zone of this machine, for the person at its terminal."""

import os
from pathlib import Path

from rich_agent.domain.time.zones import zone_named

_LOCAL_TIME = Path("/etc/localtime")


def machine_zone(local_time: Path = _LOCAL_TIME) -> str:
    """The time zone that this machine is set to; "" if that names no place.

    Source: tzset(3), localtime(5).
    """
    zone_of_link = str(local_time.resolve()).rpartition("/zoneinfo/")[2]
    zone = zone_named(os.environ.get("TZ", "").removeprefix(":") or zone_of_link) or ""
    return zone if "/" in zone and not zone.startswith("Etc/") else ""
