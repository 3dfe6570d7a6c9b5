"""Settings that two workers change at once: the page puts nothing older in effect."""

from collections.abc import Mapping

import pytest

from rich_agent.features.operator_pages.settings import SettingsPage
from rich_agent.ports.setting_changes import SettingChange
from tests.integration.features.operator_pages.served_pages import OWNER, Pages


async def test_page_keeps_a_later_change_of_another_worker(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which its own worker has in effect when the page has read the values."""
    (page,) = {
        owner
        for route in pages.routes
        if isinstance(owner := getattr(route.answer, "__self__", None), SettingsPage)
    }
    live, changes = page.live, page.changes
    read = changes.present

    async def read_slowly() -> Mapping[str, SettingChange]:
        monkeypatch.undo()
        values = await read()
        await changes.change("DAILY_SEARCHES", "5", None, live.check)
        live.take({"DAILY_IMAGES": "3", "DAILY_SEARCHES": "5"}, await changes.version())
        return values

    monkeypatch.setattr(changes, "present", read_slowly)
    async with await pages.browser(OWNER) as browser:
        saved = await browser.post("/operator/settings/DAILY_IMAGES", data={"value": "3"})
        assert saved.status_code == 303
    assert live.values == {"DAILY_IMAGES": "3", "DAILY_SEARCHES": "5"}
