"""A run as AG-UI streams it, in bytes."""

import json

import httpx

from tests.acceptance.test_agui import QUESTION, client, events_in, events_of, text_in, wanted
from tests.acceptance.world import World

__all__ = ["client"]


def test_agui_run_is_streamed_and_replayed(client: httpx.Client, world: World) -> None:
    """Numbered events, sources, LF only; the same run again costs no model call."""
    answer = client.post("/agui", json=wanted(QUESTION))
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert "\r" not in answer.text
    events = events_of(answer)
    ids = [number for number, _ in events_in(answer.text)]
    assert ids == [f"r1:{number}" for number in range(1, len(ids) + 1)]
    first, last = events[0], events[-1]
    started = {"type": "RUN_STARTED", "threadId": "t1", "runId": "r1", "protocolVersion": "1.0"}
    assert first == started
    assert (last["type"], last["outcome"]) == ("RUN_FINISHED", {"type": "success"})
    assert text_in(events) == last["result"]["text"]
    (source,) = [one for one in last["result"]["sources"] if one["n"] == 1]
    assert "proof-of-history" in source["url"]
    before = world.sandbox.mark()
    assert client.post("/agui", json=wanted("Something else")).text == answer.text
    rest = client.post("/agui", json=wanted(QUESTION), headers={"Last-Event-ID": ids[2]})
    assert rest.text == answer.text[answer.text.index(f"id: {ids[3]}") :]
    after = {"Last-Event-ID": ids[2], "Accept": "application/x-ndjson"}
    lines = client.post("/agui", json=wanted(QUESTION), headers=after).text.splitlines()
    framed = [{"id": number, "event": event} for number, event in events_in(rest.text)]
    assert [json.loads(line) for line in lines] == framed
    assert client.get("/agui", params={"runId": "r1", "offset": "-1"}).text == answer.text
    assert not world.sandbox.calls("openai", before)
