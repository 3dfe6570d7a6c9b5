"""Selects documents of a source by patterns such as `docs/**` and `*.draft.md`."""

from collections.abc import Sequence

from wcmatch import glob

LEFT_OUT = "left out by --include or --exclude"
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX


class Selection:
    """Paths that match an `include` pattern, if there are any, and no `exclude` pattern.

    `*` and `?` stay within one part of a path, `**` crosses parts. A pattern without a slash
    matches the last part, at any depth; any other matches the whole path, with or without a
    leading slash.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._matcher = glob.compile(
            [_anchored(pattern) for pattern in include] or ["**"],
            flags=_FLAGS,
            exclude=[_anchored(pattern) for pattern in exclude],
        )

    def has(self, path: str) -> bool:
        """Whether a path is selected; the path is relative to the folder or the host."""
        return self._matcher.match(path.lstrip("/"))


def _anchored(pattern: str) -> str:
    return pattern.lstrip("/") if "/" in pattern else f"**/{pattern}"
