"""Inputs that users and Telegram may send: twice, in pieces, broken, and far too much."""

import base64
import io
import itertools
import json
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psutil
from PIL import Image

from bench.faults.audit import audit
from bench.faults.finding import Finding, Size, promised
from bench.faults.ground import Ground, crew
from tests.acceptance.pictures import picture
from tests.acceptance.world import SECRET, Sent, wait_until

_HEADERS = {"X-Telegram-Bot-Api-Secret-Token": SECRET}
_UPDATE_IDS = itertools.count(5_000_000_000)
_MOST_MEMORY_MB = 300.0


def same_update_thrice(ground: Ground, size: Size) -> Finding:
    """Each update comes three times at once, and a press comes before the message it is under."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, "serve", "worker", "worker"), ThreadPoolExecutor(12) as posts:
        for user in ground.new_users(size.count):
            sent[user] = [ground.sandbox.say(user, "hi")]
        # The chats are known to the stand-in now; what follows does not come through it.
        ground.wait_done([messages[0] for messages in sent.values()])
        updates = {user: made_message(user, "hi") for user in sent}
        answers = posts.map(lambda update: post_update(ground, update), [*updates.values()] * 3)
        finding.expect(all(a.status_code == 200 for a in answers), "a repetition was refused")
        for user, update in updates.items():
            sent[user].append(Sent(0, update["update_id"]))
        press, message = _press_and_message(next(iter(sent)))
        for early in (press, message):
            finding.expect(post_update(ground, early).status_code == 200, "a press was refused")
        sent[next(iter(sent))].append(Sent(0, message["update_id"]))
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
            ground.wait_done([Sent(0, press["update_id"])])
    runs = ground.world.rows(
        "SELECT count(*) AS runs FROM retrieval_decisions WHERE request_id = ANY(%s)",
        [f"tg:{update['update_id']}" for update in updates.values()],
    )[0]["runs"]
    finding.expect(runs == len(updates), f"{runs} runs of {len(updates)} updates")
    found = audit(ground, sent)
    finding.measured.append(f"{3 * len(updates)} deliveries, {runs} runs; {found}")
    finding.broken += found.broken()
    return finding


def post_update(ground: Ground, update: Mapping[str, Any]) -> httpx.Response:
    """Bring an update to the webhook, as Telegram does; the webhook's answer."""
    return httpx.post(ground.webhook, json=update, headers=_HEADERS, timeout=30, trust_env=False)


def made_message(user: int, text: str) -> dict[str, Any]:
    """An update with a message that no chat of the stand-in shows."""
    person = {"id": user, "is_bot": False, "first_name": "Ada", "language_code": "en"}
    chat = {"id": user, "type": "private", "first_name": "Ada"}
    number = next(_UPDATE_IDS)
    content = {"message_id": number % 10**9, "date": int(time.time()), "chat": chat}
    return {"update_id": number, "message": {**content, "from": person, "text": text}}


def _press_and_message(user: int) -> tuple[dict[str, Any], dict[str, Any]]:
    message = made_message(user, "hi")
    query = {
        "id": str(next(_UPDATE_IDS)),
        "from": message["message"]["from"],
        "chat_instance": "1",
        "data": "nothing:1",
        "message": message["message"],
    }
    return {"update_id": next(_UPDATE_IDS), "callback_query": query}, message


def album(ground: Ground, size: Size) -> Finding:
    """Ten photos, over `wait_s` seconds or (0) before a worker runs, and a message behind them."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    with crew(ground, "serve", *(["worker"] if size.wait_s else [])) as bots:
        for user in ground.new_users(size.count):
            parts = [
                _send_part(ground, user, number, pause_s=size.wait_s / 10) for number in range(10)
            ]
            sent[user] = [parts[0], ground.sandbox.say(user, "hi")]
        if not size.wait_s:
            ids = [one.update_id for messages in sent.values() for one in messages]
            wait_until(lambda: _are_stored(ground, ids) or None, "all is stored")
            bots.start("worker")
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
    found = audit(ground, sent)
    turns = [len(ground.world.decisions(user)) for user in sent]
    finding.expect(turns == [2] * size.count, f"turns of an album and a message: {turns}")
    finding.measured.append(f"{size.count} albums of 10, each one turn; {found}")
    finding.broken += found.broken()
    return finding


def _send_part(ground: Ground, user: int, number: int, pause_s: float) -> Sent:
    photo = picture("red", "blue", seed=10 * user + number)
    text = "What do these show?" if number == 0 else None
    sent = ground.sandbox.say(user, text, photo=photo, media_group_id=f"album-{user}")
    time.sleep(pause_s)
    return sent


def _are_stored(ground: Ground, ids: list[int]) -> bool:
    query = "SELECT count(*) AS stored FROM telegram_inbox WHERE update_id = ANY(%s)"
    return bool(ground.world.rows(query, ids)[0]["stored"] == len(ids))


def hostile_text(ground: Ground, size: Size) -> Finding:
    """NUL, lone surrogates and what else no database takes as text."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    texts = ("What is \x00 a validator?", "What is \ud83d a validator?", "\x00", "\udfff hi")
    with crew(ground, "run"):
        for user in ground.new_users(size.count):
            sent[user] = [_say(ground, user, text) for text in texts]
        with promised(finding):
            ground.wait_done([one for messages in sent.values() for one in messages])
    found = audit(ground, sent)
    finding.measured.append(str(found))
    finding.broken += found.broken()
    return finding


def _say(ground: Ground, user: int, text: str) -> Sent:
    """As `Sandbox.say`, with the escapes that Telegram uses for what UTF-8 cannot hold."""
    url = f"{ground.sandbox.url}/sim/chats/{user}/messages"
    kind = {"Content-Type": "application/json"}
    answer = ground.sandbox.http.post(url, content=json.dumps({"text": text}), headers=kind)
    assert answer.status_code == 200, answer.text
    return Sent(**answer.json())


def bad_images(ground: Ground, size: Size) -> Finding:
    """Each is answered in one sentence, without a call of the vision model, in little memory."""
    finding, sent = Finding(), dict[int, list[Sent]]()
    before = ground.sandbox.mark()
    with crew(ground, "run") as bots:
        memory = psutil.Process(bots.members[0].pid)
        resting_mb, most_mb = _resident_mb(memory), 0.0
        for _ in range(size.count):
            for name, content in _images().items():
                (user,) = ground.new_users(1)
                encoded = base64.b64encode(content).decode()
                sent[user] = [ground.sandbox.say(user, document_base64=encoded, file_name=name)]
                with promised(finding):
                    ground.wait_done(sent[user])
                most_mb = max(most_mb, _resident_mb(memory))
    seen = [c for c in ground.sandbox.calls("openai", before) if "image" in json.dumps(c["body"])]
    finding.expect(not seen, f"the vision model was called {len(seen)} times")
    found = audit(ground, sent)
    said = {ground.sandbox.replies(user)[-1]["text"] for user in sent}
    finding.measured.append(f"{found}; {len(said)} different sentences")
    finding.broken += found.broken()
    finding.aim("memory grew by", most_mb - resting_mb, _MOST_MEMORY_MB, "MB")
    return finding


def _images() -> dict[str, bytes]:
    whole = picture("green", "white")
    frames = [Image.new("RGB", (8, 8), colour) for colour in ("red", "blue")]
    animated = io.BytesIO()
    frames[0].save(animated, "GIF", save_all=True, append_images=frames[1:])
    huge = io.BytesIO()
    Image.new("1", (12_000, 12_000)).save(huge, "PNG")
    return {
        "empty.png": b"",
        "corrupt.jpg": b"\xff\xd8\xff\xe0" + bytes(range(200)),
        "truncated.png": whole[: len(whole) // 2],
        "photo.heic": b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(100),
        "animated.gif": animated.getvalue(),
        "huge.png": huge.getvalue(),
    }


def _resident_mb(process: psutil.Process) -> float:
    return float(process.memory_info().rss) / 1e6
