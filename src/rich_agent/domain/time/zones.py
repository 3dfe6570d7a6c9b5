"""Time zones by their names, and by the cities and countries that people name instead.

Names are those of CLDR and of the tz database, in all languages of the product; no others.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.core import get_global

from rich_agent.domain.languages import SUPPORTED_LOCALES

_LONGEST_NAME = 64
_ALIKE = 0.6
_PARTS = ",،、，/"
"""Between the city and the country of a place."""
_HALF_YEARS = tuple(datetime(year, month, 1) for year in (2026, 2027) for month in (1, 7))  # noqa: DTZ001 - local


@cache
def _zones() -> Mapping[str, str]:
    """The name of each time zone by its name in lower case."""
    return MappingProxyType({name.casefold(): name for name in available_timezones()})


def zone_named(name: str) -> str | None:
    """The IANA name as it is written, None if there is no such zone; case does not matter."""
    return _zones().get(name.strip().replace(" ", "_").casefold())


def zones_of(place: str) -> Sequence[str]:
    """The zones that a place may mean: of a zone or a city one, of a country each that differs.

    A place is a name, or a city with its country: "Berlin", "東京", "Berlin, Germany".
    """
    named = place.strip()[:_LONGEST_NAME]
    zone = zone_named(named)
    # "Japan" and the like are names of zones too, but of old ones.
    if zone and "/" in zone:
        return (zone,)
    if found := _places().get(_plain(named)):
        return found
    if zone:
        return (zone,)
    parts = [part for part in map(_plain, _split(named)) if part]
    known = [found for part in parts if (found := _places().get(part))]
    common = [zone for zone in known[0] if all(zone in one for one in known)] if known else []
    return common or (known[0] if known else ())


def zones_like(name: str, most: int = 4) -> Sequence[str]:
    """Zones whose name or city is like `name`, the most alike first."""
    wanted = _plain(name.strip()[:_LONGEST_NAME])
    near = get_close_matches(wanted, _places(), n=most * 2, cutoff=_ALIKE)
    return list(dict.fromkeys(zone for place in near for zone in _places()[place][:1]))[:most]


def _split(place: str) -> Sequence[str]:
    return place.translate(dict.fromkeys(map(ord, _PARTS), "\n")).split("\n")


def _plain(name: str) -> str:
    """A name in lower case without accents; letters of other scripts keep their marks."""
    letters = unicodedata.normalize("NFKD", name.casefold().replace("_", " "))
    bare = (one for one in letters if not "\u0300" <= one <= "\u036f")
    return " ".join(unicodedata.normalize("NFC", "".join(bare)).split())


@cache
def _places() -> Mapping[str, tuple[str, ...]]:
    """The zones of each place by its plain name; a city counts more than a country."""
    found: dict[str, tuple[str, ...]] = {}
    codes = _other_codes()
    for code, listed in _listed().items():
        zones = tuple(_differing(listed))
        for locale in map(_locale, SUPPORTED_LOCALES):
            found.setdefault(_plain(locale.territories.get(code, code)), zones)
        found |= dict.fromkeys(map(_plain, codes[code]), zones)
    cities = {_plain(city): (zone,) for zone, city in _cities()}
    names = {_plain(name): (name,) for name in available_timezones() if "/" in name}
    return MappingProxyType({**found, **cities, **names})


def _cities() -> Iterator[tuple[str, str]]:
    """Each zone with the city that it is named after, as each language writes it."""
    listed = sorted(zone for zones in _listed().values() for zone in zones)
    for name in sorted(available_timezones()):
        if "/" in name and not name.startswith("Etc/"):
            yield _newest(name), name.rpartition("/")[2]
    for locale in map(_locale, SUPPORTED_LOCALES):
        for name, told in locale.time_zones.items():
            if "city" in told and _newest(name) in listed:
                yield _newest(name), told["city"]
    yield from ((zone, zone.rpartition("/")[2]) for zone in listed)


def _newest(name: str) -> str:
    return str(get_global("zone_aliases").get(name, name))


def _other_codes() -> Mapping[str, Sequence[str]]:
    """The codes of each country: "US" and "USA", "GB" and "UK"."""
    codes: dict[str, list[str]] = defaultdict(list)
    for code in _listed():
        codes[code].append(code)
    for other, named in get_global("territory_aliases").items():
        if len(named) == 1 and named[0] in codes:
            codes[named[0]].append(other)
    return codes


def _locale(tag: str) -> Locale:
    return Locale.parse(tag, sep="-")


@cache
def _listed() -> Mapping[str, Sequence[str]]:
    """The zones of each country by its code (ISO 3166), those first that stand for several.

    Source: zone.tab and zonenow.tab of the tz database.
    """
    leading = {zone for _, zone in _rows("zonenow.tab")}
    found: dict[str, list[str]] = defaultdict(list)
    for code, zone in _rows("zone.tab"):
        found[code].append(zone)
    return {
        code: sorted(zones, key=lambda one: one not in leading) for code, zones in found.items()
    }


def _rows(table: str) -> Iterator[tuple[str, str]]:
    """The country and the zone of each line."""
    text = files("tzdata.zoneinfo").joinpath(table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            code, _, zone, *_ = line.split("\t")
            yield code, zone


def _differing(zones: Iterable[str]) -> Iterator[str]:
    """The first of the zones whose clocks go alike, in these years."""
    seen = set()
    for zone in zones:
        clocks = ZoneInfo(zone)
        offsets = tuple(day.replace(tzinfo=clocks).utcoffset() for day in _HALF_YEARS)
        if offsets not in seen:
            seen.add(offsets)
            yield zone
