"""Time zones by their names, and by cities and countries.

Names are those of CLDR and of the tz database, in all languages of the product.
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
"""The separators between the city and the country of a place."""
_HALF_YEARS = tuple(datetime(year, month, 1) for year in (2026, 2027) for month in (1, 7))  # noqa: DTZ001 - local


@cache
def _zones() -> Mapping[str, str]:
    """The name of each time zone, by its name in lower case."""
    return MappingProxyType({name.casefold(): name for name in available_timezones()})


def zone_named(name: str) -> str | None:
    """The IANA name in its usual spelling, None if there is no such zone; case does not matter."""
    return _zones().get(name.strip().replace(" ", "_").casefold())


def zones_of(place: str) -> Sequence[str]:
    """The zones that a place may mean: one for a zone or a city, all distinct zones of a country.

    A place is a name, or a city with its country: "Berlin", "東京", "Berlin, Germany".
    """
    name = place.strip()[:_LONGEST_NAME]
    zone = zone_named(name)
    # Names such as "Japan" are obsolete names of zones.
    if zone and "/" in zone:
        return (zone,)
    if zones := _places().get(_plain(name)):
        return zones
    if zone:
        return (zone,)
    place_names = [place_name for place_name in map(_plain, _split(name)) if place_name]
    zones_by_part = [zones for place_name in place_names if (zones := _places().get(place_name))]
    common_zones = (
        [
            zone
            for zone in zones_by_part[0]
            if all(zone in part_zones for part_zones in zones_by_part)
        ]
        if zones_by_part
        else []
    )
    return common_zones or (zones_by_part[0] if zones_by_part else ())


def zones_like(name: str, most: int = 4) -> Sequence[str]:
    """Zones whose name or city is similar to `name`, the most similar first."""
    plain_name = _plain(name.strip()[:_LONGEST_NAME])
    similar_places = get_close_matches(plain_name, _places(), n=most * 2, cutoff=_ALIKE)
    return list(dict.fromkeys(zone for place in similar_places for zone in _places()[place][:1]))[
        :most
    ]


def _split(place: str) -> Sequence[str]:
    """The parts of a place, such as city and country."""
    return place.translate(dict.fromkeys(map(ord, _PARTS), "\n")).split("\n")


def _plain(name: str) -> str:
    """A name in lower case without accents; letters of other scripts keep their marks."""
    letters = unicodedata.normalize("NFKD", name.casefold().replace("_", " "))
    base_letters = (character for character in letters if not "\u0300" <= character <= "\u036f")
    return " ".join(unicodedata.normalize("NFC", "".join(base_letters)).split())


@cache
def _places() -> Mapping[str, tuple[str, ...]]:
    """The zones of each place by its plain name; a city comes before a country of that name."""
    zones_by_name: dict[str, tuple[str, ...]] = {}
    codes = _other_codes()
    for code, country_zones in _zones_by_country().items():
        zones = tuple(_differing(country_zones))
        for locale in map(_locale, SUPPORTED_LOCALES):
            zones_by_name.setdefault(_plain(locale.territories.get(code, code)), zones)
        zones_by_name |= dict.fromkeys(map(_plain, codes[code]), zones)
    zones_by_city = {_plain(city): (zone,) for zone, city in _cities()}
    zones_by_own_name = {_plain(name): (name,) for name in available_timezones() if "/" in name}
    return MappingProxyType({**zones_by_name, **zones_by_city, **zones_by_own_name})


def _cities() -> Iterator[tuple[str, str]]:
    """Each zone with the city in its name, as each language writes it."""
    country_zones = sorted(zone for zones in _zones_by_country().values() for zone in zones)
    for name in sorted(available_timezones()):
        if "/" in name and not name.startswith("Etc/"):
            yield _newest(name), name.rpartition("/")[2]
    for locale in map(_locale, SUPPORTED_LOCALES):
        for name, names_of_zone in locale.time_zones.items():
            if "city" in names_of_zone and _newest(name) in country_zones:
                yield _newest(name), names_of_zone["city"]
    yield from ((zone, zone.rpartition("/")[2]) for zone in country_zones)


def _newest(name: str) -> str:
    """The present name of a zone."""
    return str(get_global("zone_aliases").get(name, name))


def _other_codes() -> Mapping[str, Sequence[str]]:
    """The codes of each country: "US" and "USA", "GB" and "UK"."""
    codes_by_country: dict[str, list[str]] = defaultdict(list)
    for code in _zones_by_country():
        codes_by_country[code].append(code)
    for alias, countries in get_global("territory_aliases").items():
        if len(countries) == 1 and countries[0] in codes_by_country:
            codes_by_country[countries[0]].append(alias)
    return codes_by_country


def _locale(tag: str) -> Locale:
    return Locale.parse(tag, sep="-")


@cache
def _zones_by_country() -> Mapping[str, Sequence[str]]:
    """The zones of each country by its code (ISO 3166), the representative ones first.

    Source: zone.tab and zonenow.tab of the tz database.
    """
    representative_zones = {zone for _, zone in _rows("zonenow.tab")}
    codes_by_country: dict[str, list[str]] = defaultdict(list)
    for code, zone in _rows("zone.tab"):
        codes_by_country[code].append(zone)
    return {
        code: sorted(zones, key=lambda zone: zone not in representative_zones)
        for code, zones in codes_by_country.items()
    }


def _rows(table: str) -> Iterator[tuple[str, str]]:
    """The country and the zone of each line of a table."""
    text = files("tzdata.zoneinfo").joinpath(table).read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            code, _, zone, *_ = line.split("\t")
            yield code, zone


def _differing(zones: Iterable[str]) -> Iterator[str]:
    """The first zone of each group whose clocks agree in these years."""
    known_offsets = set()
    for zone in zones:
        clocks = ZoneInfo(zone)
        offsets = tuple(day.replace(tzinfo=clocks).utcoffset() for day in _HALF_YEARS)
        if offsets not in known_offsets:
            known_offsets.add(offsets)
            yield zone
