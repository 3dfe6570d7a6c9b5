"""JSON answers that can carry any text, also a lone surrogate."""

import json
from typing import Any

from starlette.responses import JSONResponse
from typing_extensions import override


class AsciiJSONResponse(JSONResponse):
    """JSON with everything outside ASCII escaped, as the Bot API writes it."""

    @override
    def render(self, content: Any) -> bytes:
        return json.dumps(content, separators=(",", ":")).encode("ascii")
