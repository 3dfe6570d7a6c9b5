"""Parts of a file, without which a browser cannot seek in a recording.

Source: RFC 9110, section 14.
"""

import re

from starlette.requests import Request
from starlette.responses import Response

_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")


def answer_part(request: Request, whole: Response) -> Response:
    """The part of an answer that was asked for: 206, or 416 beyond its end; else the whole."""
    whole.headers["Accept-Ranges"] = "bytes"
    found = _RANGE.fullmatch(request.headers.get("range", ""))
    if found is None or not any(found.groups()):
        return whole
    content, size = bytes(whole.body), len(whole.body)
    first, last = found[1], found[2]
    start = int(first) if first else max(0, size - int(last))
    end = min(int(last) if first and last else size - 1, size - 1)
    if start > end:
        return Response(status_code=416, headers={"Content-Range": f"bytes */{size}"})
    kept = {name: value for name, value in whole.headers.items() if name != "content-length"}
    headers = {**kept, "Content-Range": f"bytes {start}-{end}/{size}"}
    return Response(content[start : end + 1], 206, headers)
