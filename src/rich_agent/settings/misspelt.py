"""Recognises names that were meant to be settings; looks at names only, never at values."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from rapidfuzz.distance import OSA, Indel

from rich_agent.errors import UnknownSettingError

_SLIP_EDITS = 2
_SHORT = 6
"""Names below this length (HOST, PORT) differ from many others by two letters."""
_DISTINCTIVE = 10
"""Names from this length on are hardly met by chance in the environment of a process."""
_ALIKE = 0.82
_AS_NEAR = 0.1


def misspelt_in_file(names: Iterable[str], known: Collection[str]) -> Iterator[UnknownSettingError]:
    """The `names` of `.env` that resemble a setting; all are in capitals."""
    for name in names:
        if name not in known and (meant := meant_in_file(name, known)):
            yield UnknownSettingError(
                name, meant, hint="; what belongs to another program belongs in a file of its own"
            )


def misspelt_in_environment(
    names: Collection[str], known: Collection[str], keys: Collection[str]
) -> Iterator[UnknownSettingError]:
    """The `names` of the process' environment that can hardly be anything but a setting.

    `keys` are the settings that are secret. All names are in capitals.
    """
    unset = [setting for setting in known if setting not in names]
    for name in names:
        if name not in known and (meant := meant_in_environment(name, unset, keys)):
            yield UnknownSettingError(
                name,
                meant,
                hint=f", or take {name} out of the environment if another program needs it",
            )


def meant_in_file(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The settings that `name` in `.env` may stand for, nearest first, at most two.

    A slip of the pen, a word too many or too few, or much the same letters. Empty for a name that
    is no setting's and resembles none: it is another program's.
    """
    near = {
        setting: alike
        for setting in known
        if (alike := Indel.normalized_similarity(name, setting)) >= _ALIKE
        or _is_slip(name, setting)
        or _has_same_words(name, setting)
    }
    best = max(near.values(), default=0.0)
    nearest = [setting for setting, ratio in near.items() if ratio >= best - _AS_NEAR]
    return tuple(sorted(nearest, key=near.__getitem__, reverse=True)[:2])


def meant_in_environment(name: str, unset: Iterable[str], keys: Collection[str]) -> tuple[str, ...]:
    """The setting that `name` in the environment of the process stands for; empty if none.

    Most of an environment belongs to other programs. So only a slip of the pen in a long name
    counts, or one of the `keys` without a word in its middle (OPENAI_KEY for OPENAI_API_KEY), and
    only for settings that are `unset`.
    """
    for setting in unset:
        long_slip = len(setting) >= _DISTINCTIVE and _is_slip(name, setting)
        if long_slip and _letters(name) != _letters(setting):
            return (setting,)
        if setting in keys and _is_shortened(name, setting):
            return (setting,)
    return ()


def _letters(name: str) -> str:
    """The name without digits: OPENAI_API_KEY_2 is a second key and no slip."""
    return "".join(letter for letter in name if not letter.isdigit()).strip("_")


def _is_slip(name: str, setting: str) -> bool:
    """Whether a letter or two were forgotten, added, replaced or exchanged with the next."""
    return OSA.distance(name, setting) <= (1 if len(setting) < _SHORT else _SLIP_EDITS)


def _has_same_words(name: str, setting: str) -> bool:
    """Whether at least two words are the same, and at most one of each is another."""
    words, whole = Counter(_words(name)), Counter(_words(setting))
    shared = (words & whole).total()
    return shared >= 2 and max(words.total(), whole.total()) - shared <= 1


def _is_shortened(name: str, setting: str) -> bool:
    words, whole = name.split("_"), setting.split("_")
    return len(whole) > 2 and words == [whole[0], whole[-1]]


def _words(name: str) -> list[str]:
    return [word.removesuffix("S") for word in name.split("_") if word]
