"""The libraries of the page are those that the lock file pins, as `make vendor` bundled them."""

import hashlib
import json
from pathlib import Path

from rich_agent.features.web_chat.page_files import read_page_files

VENDOR = Path(__file__).parents[4] / "vendor"
PAGE = "../src/rich_agent/features/web_chat/page/vendor"


def test_bundles_are_what_the_lock_file_gave() -> None:
    """Whoever changes the lock, an entry or a bundle by hand has to run `make vendor`."""
    noted = json.loads((VENDOR / "hashes.json").read_text("utf-8"))
    found = {path: hashlib.sha256((VENDOR / path).read_bytes()).hexdigest() for path in noted}
    assert found == noted
    bundles = {Path(path).name for path in noted if "/web_chat/page/" in path}
    assert bundles == {file.name for file in (VENDOR / PAGE).iterdir()}


def test_lock_pins_every_package_by_its_hash() -> None:
    """Exact versions, and a hash for each package that npm fetches."""
    lock = json.loads((VENDOR / "package-lock.json").read_text("utf-8"))["packages"]
    wanted = lock[""]["dependencies"] | lock[""]["devDependencies"]
    assert all(version[0].isdigit() for version in wanted.values())
    assert [name for name, one in lock.items() if name and "integrity" not in one] == []


def test_licences_of_all_bundled_packages_are_there() -> None:
    """Each with its text or its name."""
    text = read_page_files()["vendor/LICENSES.txt"].content.decode()
    for name in ("dompurify", "marked"):
        assert f"\n{name} " in f"\n{text}"


def test_page_has_neither_inline_script_nor_style() -> None:
    """The policy would refuse it."""
    page = read_page_files()[""].content.decode()
    assert "<style" not in page
    assert "style=" not in page
    assert page.count("<script") == page.count('<script type="module" src=') == 1
