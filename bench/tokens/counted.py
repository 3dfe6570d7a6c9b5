"""Texts and their true counts, as JSON lines; runs in the environment of the peers.

The sentences are the translations that Django's forms and pages show. What is no prose (code, keys,
emoji, tables) is made here.
"""

import base64
import hashlib
import inspect
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import bpe_openai
import django

_MESSAGE = re.compile(r'^msgstr(?:\[0\])? ((?:".*"\n?)+)', re.MULTILINE)
_LINE = re.compile(r'"(.*)"')
_SHORTEST = 40  # characters of a sentence that counts
ENCODINGS = ("o200k_base", "cl100k_base")


def translations() -> Iterator[tuple[str, str]]:
    """Each language with its sentences, one a line."""
    contributed = Path(django.__file__).parent
    folders = sorted((contributed / "conf" / "locale").iterdir())
    for folder in folders:
        files = [folder / "LC_MESSAGES" / "django.po"]
        files += contributed.glob(f"contrib/admin/locale/{folder.name}/LC_MESSAGES/django.po")
        told = "".join(file.read_text("utf-8") for file in files if file.exists())
        found = ("".join(_LINE.findall(match[1])) for match in _MESSAGE.finditer(told))
        texts = [text.replace("\\n", "\n").replace('\\"', '"') for text in found]
        sentences = [text for text in texts[1:] if len(text) >= _SHORTEST]
        if len(sentences) >= 20:
            yield folder.name, "\n".join(sentences)


def other_texts() -> Iterator[tuple[str, str]]:
    """Yield texts that users paste besides prose."""
    rng = random.Random(7)  # noqa: S311 - the same texts each time
    noise = b"".join(hashlib.sha256(str(n).encode()).digest() for n in range(60))
    yield "code", inspect.getsource(inspect)[:20_000]
    yield "json", json.dumps([{"id": n, "rate": rng.random(), "ok": True} for n in range(300)])
    yield "hex", noise.hex()
    yield "base64", base64.b64encode(noise).decode()
    yield "digits", " ".join(str(rng.randrange(10**9)) for _ in range(300))
    yield "emoji", "".join(chr(rng.randrange(0x1F300, 0x1F650)) for _ in range(400))
    yield "emoji joined", "👩‍👩‍👧‍👦 👍🏽 🇯🇵 " * 60
    yield "table", "| a | b |\n|---|---|\n" + "| 1.25 | value |\n" * 200
    yield "spaces", "    indented\n\n\n        deeper\t\tmore\n" * 100
    yield "shouting", "WHY DOES NOBODY ANSWER THE TELEPHONE IN THIS OFFICE " * 40
    yield "letters", "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(2_000))


def main() -> None:
    """Print each text with its counts."""
    encodings = {name: bpe_openai.get_encoding(name) for name in ENCODINGS}
    for name, text in (*translations(), *other_texts()):
        counts = {key: len(encoding.encode(text)) for key, encoding in encodings.items()}
        sys.stdout.write(json.dumps({"name": name, "text": text, "counts": counts}) + "\n")


if __name__ == "__main__":
    main()
