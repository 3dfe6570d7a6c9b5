"""The most common words of a language, which name nothing though no list of stop words has them.

The lists are those of wordfreq, read once for each language. English needs none, because its stop
words are complete. Languages are left out whose lists start with syllables (Vietnamese), or have
nouns and names of countries near the start (Indonesian, Persian, Ukrainian).
"""

import gzip
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

_LEAST_CENTIBELS = -250
"""Three in a thousand words: 20 to 45 of a language, all pronouns, particles and the like."""
_LISTS: Mapping[str, str] = MappingProxyType(
    {
        "arabic": "ar",
        "catalan": "ca",
        "czech": "cs",
        "danish": "da",
        "dutch": "nl",
        "finnish": "fi",
        "french": "fr",
        "german": "de",
        "greek": "el",
        "hindi": "hi",
        "hungarian": "hu",
        "italian": "it",
        "norwegian": "nb",
        "polish": "pl",
        "portuguese": "pt",
        "romanian": "ro",
        "russian": "ru",
        "spanish": "es",
        "swedish": "sv",
        "turkish": "tr",
    }
)


@cache
def commonest_words(language: str) -> frozenset[str]:
    """The most common words of a language, in lower case; none without a list."""
    if (name := _LISTS.get(language)) is None:
        return frozenset()
    words = (word for level in read_frequencies(name, _LEAST_CENTIBELS) for word in level)
    return frozenset(word for word in words if not word.isdigit())


def read_frequencies(language: str, least_centibels: int) -> list[list[str]]:
    """The words of a language in each hundredth of a bel of frequency, from 0 down."""
    # A header comes before the words of each hundredth of a bel. Source: wordfreq, read_cBpack.
    levels: list[list[str]] = read_data(f"small_{language}")[1 : -least_centibels + 2]
    return levels


def read_rare_words(language: str) -> list[list[str]]:
    """The words of a language as `read_frequencies` has them, with rare ones if a list has some."""
    try:
        levels: list[list[str]] = read_data(f"large_{language}")[1:]
    except FileNotFoundError:
        return read_frequencies(language, -600)
    return levels


def read_data(name: str) -> Any:  # noqa: ANN401 - lists or a table
    """Data of wordfreq, without its program, which takes longer to load than all lists."""
    import msgpack  # noqa: PLC0415 - only questions need it

    package = find_spec("wordfreq")
    folders = (package and package.submodule_search_locations) or ()
    with gzip.open(Path(*folders, "data", f"{name}.msgpack.gz")) as file:
        return msgpack.load(file, strict_map_key=False)
