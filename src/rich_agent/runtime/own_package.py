"""Commands that add an optional part to this installation, from the place that it came from.

The place is what the installer wrote down (PEP 610), so no command names a package of an index that
somebody else may own.
"""

import json
import shlex
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

OWN_PACKAGE: Final = "rich-agent"


def extra_hint(extra: str) -> str:
    """The sentence that tells how to add an extra to this installation."""
    origin = _origin()
    if origin is None:
        return f"Install the extra `{extra}` from where this program came from."
    if origin.get("dir_info", {}).get("editable"):
        folder = shlex.quote(_path(origin))
        return f'Install the extra: make -C {folder} install EXTRAS="{extra}"'
    requirement = shlex.quote(f"{OWN_PACKAGE}[{extra}]{_place(origin)}")
    python = shlex.quote(sys.executable)
    # pip takes no repository in a folder under a name.
    takes_pip = find_spec("pip") and not ("vcs_info" in origin and _is_local(origin))
    installer = f"{python} -m pip install" if takes_pip else f"uv pip install -p {python}"
    return f"Install the extra: {installer} {requirement}"


@cache
def _origin() -> dict[str, Any] | None:
    """The installer's note about the place; {} for an index, None if the place is gone."""
    try:
        text = distribution(OWN_PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    origin: dict[str, Any] = json.loads(text) if text else {}
    if _is_local(origin) and not Path(_path(origin)).exists():
        return None
    return origin


def _is_local(origin: dict[str, Any]) -> bool:
    return str(origin.get("url", "")).startswith("file:")


def _path(origin: dict[str, Any]) -> str:
    return unquote(urlsplit(origin["url"]).path)


def _place(origin: dict[str, Any]) -> str:
    """The end of a requirement, behind the name (PEP 508)."""
    if not origin:
        return ""
    version = origin.get("vcs_info")
    if version is None:
        return f" @ {origin['url']}"
    return f" @ {version['vcs']}+{origin['url']}@{version['commit_id']}"
