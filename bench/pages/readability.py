"""Content of pages as readability finds it: JSON lines of pages in, of texts out.

It runs in the environment of the peers.
"""

import json
import sys

import lxml.html
from readability import Document


def text_of(page: str) -> str:
    """The words of the content, "" where readability fails."""
    try:
        return str(lxml.html.fromstring(Document(page).summary()).text_content())
    except Exception:  # noqa: BLE001 - whatever it is, the page has no text
        return ""


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(text_of(json.loads(line))), flush=True)
