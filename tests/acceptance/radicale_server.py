"""Radicale as a process, and another program that uses the same task list."""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import icalendar
from icalendar import Component
from lxml import etree

from tests.acceptance.world import free_port, wait_until

TASK_LIST = """<?xml version="1.0"?>
<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:set><d:prop>
<d:displayname>{name}</d:displayname><c:supported-calendar-component-set>
<c:comp name="{holds}"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>"""
ENTRY = """BEGIN:VCALENDAR
VERSION:2.0
PRODID:-//another program//EN
BEGIN:VTODO
UID:{uid}
DTSTAMP:20261101T120000Z
SUMMARY:{title}
{more}END:VTODO
END:VCALENDAR
"""


@dataclass(frozen=True, slots=True)
class OtherProgram:
    """A program that keeps tasks in the same list, under the same login."""

    url: str
    login: tuple[str, str]

    def make_list(self, name: str, holds: str = "VTODO") -> None:
        """A collection beside the others; its path is its name."""
        home = self.url.rstrip("/").rpartition("/")[0]
        body = TASK_LIST.format(name=name, holds=holds)
        self._ask("MKCALENDAR", f"{home}/{name}/", body)

    def add(self, uid: str, title: str, more: str = "") -> None:
        """A task of the other program."""
        self._put(uid, ENTRY.format(uid=uid, title=title, more=more))

    def change(self, title: str, before: str, after: str) -> None:
        """Replace a part of the text of an entry."""
        href, text = next(one for one in self._texts().items() if f"SUMMARY:{title}" in one[1])
        assert before in text, text
        self._ask("PUT", httpx.URL(self.url).join(href), text.replace(before, after))

    def delete(self, title: str) -> None:
        """Delete an entry."""
        href = next(href for href, text in self._texts().items() if f"SUMMARY:{title}" in text)
        self._ask("DELETE", httpx.URL(self.url).join(href))

    def tasks(self) -> dict[str, Component]:
        """Every task by its title."""
        found = [icalendar.Calendar.from_ical(text) for text in self._texts().values()]
        todos = [todo for calendar in found for todo in calendar.walk("VTODO")]
        return {str(todo["SUMMARY"]): todo for todo in todos}

    def _put(self, uid: str, text: str) -> None:
        self._ask("PUT", f"{self.url}{uid}.ics", text.replace("\n", "\r\n"))

    def _texts(self) -> dict[str, str]:
        """The text of each entry by its path."""
        body = """<?xml version="1.0"?><c:calendar-query xmlns:d="DAV:"
            xmlns:c="urn:ietf:params:xml:ns:caldav"><d:prop><c:calendar-data/></d:prop>
            <c:filter><c:comp-filter name="VCALENDAR"/></c:filter></c:calendar-query>"""
        answer = self._ask("REPORT", self.url, body)
        root = etree.fromstring(answer.content)
        names = {"d": "DAV:", "c": "urn:ietf:params:xml:ns:caldav"}
        return {
            one.findtext("d:href", "", names): one.findtext(".//c:calendar-data", "", names)
            for one in root.findall("d:response", names)
        }

    def _ask(self, method: str, url: object, body: str = "") -> httpx.Response:
        headers = {"Content-Type": "text/calendar" if method == "PUT" else "application/xml"}
        answer = httpx.request(
            method,
            str(url),
            content=body.encode(),
            headers={**headers, "Depth": "1"},
            auth=self.login,
            trust_env=False,
            timeout=20,
        )
        return answer.raise_for_status()


@dataclass(slots=True)
class Radicale:
    """A server whose files outlive its process; `logins` are user names and passwords."""

    folder: Path
    port: int = field(default_factory=free_port)
    running: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve, and return once it does."""
        arguments = [
            *("--hosts", f"127.0.0.1:{self.port}", "--logging-level", "warning"),
            *("--auth-type", "htpasswd", "--auth-htpasswd-encryption", "plain"),
            *("--auth-htpasswd-filename", str(self.folder / "users"), "--auth-delay", "0"),
            *("--storage-filesystem-folder", str(self.folder / "lists")),
        ]
        command = [sys.executable, "-m", "radicale", "--config", "", *arguments]
        with (self.folder / "log").open("ab") as log:
            self.running = subprocess.Popen(command, stdout=log, stderr=log)

        def answers() -> bool:
            assert self.running is None or self.running.poll() is None, (
                self.folder / "log"
            ).read_text()
            with suppress(httpx.TransportError):
                return httpx.get(self.url, trust_env=False).status_code > 0
            return False

        wait_until(answers, "Radicale answers")

    def stop(self) -> None:
        """Be away."""
        if self.running:
            self.running.terminate()
            self.running.wait(30)
            self.running = None

    def user(self, name: str, password: str, list_name: str = "tasks") -> OtherProgram:
        """A user with one task list."""
        with (self.folder / "users").open("a") as users:
            users.write(f"{name}:{password}\n")
        program = OtherProgram(f"{self.url}/{name}/{list_name}/", (name, password))
        program.make_list(list_name)
        return program

    def set_password(self, name: str, password: str) -> None:
        """Change a user's password; Radicale reads the file at each request."""
        users = self.folder / "users"
        lines = [line for line in users.read_text().splitlines() if not line.startswith(f"{name}:")]
        users.write_text("\n".join([*lines, f"{name}:{password}", ""]))


@contextmanager
def running_radicale() -> Iterator[Radicale]:
    """A server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        server = Radicale(Path(folder))
        (server.folder / "users").touch()
        server.start()
        try:
            yield server
        finally:
            server.stop()
