"""The process that asks a search engine through the library ddgs, and reads its page.

It has the query and nothing else of the bot, and its parent ends it when it is late. The bounds
that the kernel enforces hold for all that the library does.
"""

import json
import os
import resource
import sys
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from rich_agent.feature.confinement import Bounds, confine, program_files

_LIMITS: Final[Mapping[int, int]] = {
    resource.RLIMIT_AS: 1024 * 1024 * 1024,
    resource.RLIMIT_CPU: 3,
    resource.RLIMIT_NOFILE: 128,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_CORE: 0,
}
_NO_REGION: Final = "wt-wt"
_OK: Final = 200
_MOST_RESULTS: Final = 30
_MOST_CHARS: Final = 4_000
_EMPTY_PAGE: Final = "No  results."
_PUZZLE: Final = "challenge-form"


def main() -> None:
    """Read a job as JSON from stdin, do it, and write the reply as JSON to stdout."""
    job = json.load(sys.stdin)
    os.environ.clear()
    places = program_files(job["certificates"])
    port = urlsplit(job["proxy"]).port
    confine(Bounds(places, _LIMITS, runs_programs=True, network=True, port=port))
    json.dump(_search(job), sys.stdout)


def _search(job: Mapping[str, Any]) -> dict[str, Any]:
    """The status and what the page says; or that no page came in time, or an error's text."""
    from ddgs.engines import ENGINES  # noqa: PLC0415 - confined first
    from ddgs.exceptions import DDGSException, TimeoutException  # noqa: PLC0415

    engine = ENGINES["text"][job["engine"]](
        proxy=job["proxy"], timeout=job["timeout_s"], verify=job["certificates"]
    )
    payload = engine.build_payload(job["query"], _NO_REGION, "moderate", None, page=1)
    try:
        # Its `search` would hide the status.
        response = engine.http_client.request(engine.search_method, engine.search_url, data=payload)
    except TimeoutException:
        return {"is_late": True}
    except DDGSException as error:
        return {"error": str(error)[:300]}
    page = response.text if response.status_code == _OK else ""
    results = engine.post_extract_results(engine.extract_results(page)) if page.strip() else []
    return {
        "status": response.status_code,
        "is_empty": _EMPTY_PAGE in page,
        "has_puzzle": _PUZZLE in page,
        "results": [
            [text[:_MOST_CHARS] for text in (one.href, one.title, one.body)]
            for one in results[:_MOST_RESULTS]
        ],
    }
