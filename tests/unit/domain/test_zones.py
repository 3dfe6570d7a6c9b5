"""Zones by the names of places, in the languages of the product."""

import pytest

from rich_agent.domain.time.zones import zones_like, zones_of


@pytest.mark.parametrize(
    ("place", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("Berlin, Germany", "Europe/Berlin"),
        ("Germany", "Europe/Berlin"),
        ("Deutschland", "Europe/Berlin"),
        ("Japan", "Asia/Tokyo"),
        ("東京", "Asia/Tokyo"),
        ("東京、日本", "Asia/Tokyo"),
        ("Tokio", "Asia/Tokyo"),
        ("北アイルランド", ""),
        ("भारत", "Asia/Kolkata"),
        ("कोलकाता", "Asia/Kolkata"),
        ("Calcutta", "Asia/Kolkata"),
        ("القاهرة", "Africa/Cairo"),
        ("تهران", "Asia/Tehran"),
        ("上海", "Asia/Shanghai"),
        ("서울", "Asia/Seoul"),
        ("Київ", "Europe/Kyiv"),
        ("Kiew", "Europe/Kyiv"),
        ("Москва", "Europe/Moscow"),
        ("Nueva York", "America/New_York"),
        ("new york", "America/New_York"),
        ("sao paulo", "America/Sao_Paulo"),
        ("UK", "Europe/London"),
        ("UTC", "UTC"),
        ("Atlantis", ""),
        ("", ""),
    ],
)
def test_place_names_its_zone(place: str, zone: str) -> None:
    """A zone, a city or a country; None for what no table knows."""
    assert list(zones_of(place)) == ([zone] if zone else [])


def test_country_with_several_clocks_names_one_zone_each() -> None:
    """Zones that go alike count once; a city within the country decides."""
    assert "America/New_York" in zones_of("USA")
    assert "America/Detroit" not in zones_of("USA")
    assert len(zones_of("Australia")) > 3
    assert "Australia/Sydney" in zones_of("Australia")
    assert list(zones_of("Sydney, Australia")) == ["Australia/Sydney"]
    assert list(zones_of("Los Angeles, USA")) == ["America/Los_Angeles"]


def test_misspelt_place_leads_to_those_like_it() -> None:
    """Names of any language, and nothing for a text without end."""
    assert "Asia/Tokyo" in zones_like("Tokjo")
    assert "Europe/Berlin" in zones_like("berlinn")
    assert zones_like("x" * 100_000) == []
