"""Settings of connected task lists."""

from rich_agent.feature import Group, Hosts, setting


class CalendarSettings(Group):
    """Settings for task lists on CalDAV servers."""

    private_hosts: Hosts = setting(
        "Hosts on private networks that users may `/connect` to, comma-separated: names, "
        "`*.home.example`, addresses, networks such as 192.168.0.0/16. They may use http://.",
        (),
        name="CALDAV_PRIVATE_HOSTS",
    )
    interval_s: float = setting(
        "Seconds between two looks at a connected task list.", 300.0, name="CALDAV_INTERVAL_S", ge=1
    )
