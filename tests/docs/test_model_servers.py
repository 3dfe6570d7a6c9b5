"""The page on model servers has all of them, and was written by a run in which all went well."""

from bench.servers.__main__ import PAGE
from bench.servers.conversations import CONVERSATIONS
from tests.stand_ins.model_servers.roster import OTHERS, SERVERS


def test_page_tells_of_every_server_and_conversation() -> None:
    """`python -m bench.servers` writes it; a server that comes to the sandbox has to be tried."""
    cells = [
        [cell.strip(" `") for cell in line.strip("|").split("|")]
        for line in PAGE.read_text("utf-8").splitlines()
        if line.startswith("|")
    ]
    head, _, *rows = cells[: len(SERVERS) + len(OTHERS) + 2]
    assert head == ["Server", *CONVERSATIONS]
    assert [name for name, *_ in rows] == [one.name for one in (*SERVERS, *OTHERS)]
    assert {cell for _, *told in rows for cell in told} == {"yes"}
