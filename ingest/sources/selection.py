"""Which documents of a source are wanted, by patterns such as `docs/**` and `*.draft.md`."""

from collections.abc import Sequence

from wcmatch import glob

LEFT_OUT = "left out by --include or --exclude"
_FLAGS = glob.GLOBSTAR | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX


class Selection:
    """What one of the `include` patterns matches (all, without any) and no `exclude` pattern.

    `*` and `?` stay within one part of a path, `**` crosses parts. A pattern without a slash
    means the last part, at any depth; any other means the whole path, with or without a slash at
    its beginning.
    """

    def __init__(self, include: Sequence[str], exclude: Sequence[str]) -> None:
        self._matcher = glob.compile(
            [_anchored(pattern) for pattern in include] or ["**"],
            flags=_FLAGS,
            exclude=[_anchored(pattern) for pattern in exclude],
        )

    def has(self, path: str) -> bool:
        """Whether a path is wanted; it begins below the folder or the host."""
        return self._matcher.match(path.lstrip("/"))


def _anchored(pattern: str) -> str:
    return pattern.lstrip("/") if "/" in pattern else f"**/{pattern}"
