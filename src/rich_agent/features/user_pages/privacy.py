"""The page about privacy: what is kept, all of it as a file, and its deletion."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from rich_agent.feature.accounts import Confirmations, PersonalData
from rich_agent.feature.pages import PageRefusedError, PageRoute, Visit
from rich_agent.features.user_pages.pages import PATH, PRIVACY

_PATH: Final = f"{PATH}/{PRIVACY}"
_EXPORT: Final = f"{_PATH}/export"
_FORGET: Final = f"{_PATH}/forget"
_SUBJECT: Final = "forget"
"""The subject of /forget in the chat: a question that was asked there may be answered here."""


@dataclass(frozen=True, slots=True)
class PrivacyPage:
    """Shows what is kept about a user, exports it, and deletes it once they confirm."""

    data: PersonalData
    confirmations: Confirmations

    def routes(self) -> Sequence[PageRoute]:
        """The page, the file, and the question before everything is deleted."""
        return (
            PageRoute(_PATH, self._show),
            PageRoute(_EXPORT, self._export),
            PageRoute(_FORGET, self._forget, ("POST",), action="own.forget"),
        )

    async def _show(self, visit: Visit) -> Response:
        title = visit.say("user_pages-privacy")
        return visit.page("privacy.html", title=title, export_path=_EXPORT, forget_path=_FORGET)

    async def _export(self, visit: Visit) -> Response:
        """Everything as JSON, the same file as that of /export."""
        data = await self.data.export(visit.user_id)
        content = json.dumps(data, ensure_ascii=False, indent=2).encode()
        name = f"rich-agent-{visit.user_id}-{data['exported_at'][:10]}.json"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return Response(content, headers=headers, media_type="application/json")

    async def _forget(self, visit: Visit) -> Response:
        """Ask whether to delete everything, and do so after a yes. Raises: PageRefusedError."""
        token = visit.text("token", 100)
        title = visit.say("command-forget")
        if not token:
            token = await self.confirmations.offer(visit.user_id, _SUBJECT)
            return visit.page(
                "forget.html", title=title, token=token, forget_path=_FORGET, back_path=_PATH
            )
        if await self.confirmations.find(visit.user_id, token) != _SUBJECT:
            raise PageRefusedError(visit.say("user_pages-too-late"))
        await self.data.forget(visit.user_id)
        return visit.page("forgotten.html", title=title)
