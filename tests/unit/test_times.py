"""Times as people say them, in each language of the product; the tables were read by eye."""

import unicodedata
from datetime import UTC, date, datetime, time, timedelta

import pytest

from rich_agent.domain.languages import SUPPORTED_LOCALES
from rich_agent.times import Clocks, say_duration, say_full_date, say_wait

BERLIN = "Europe/Berlin"
NOW = datetime(2026, 11, 25, 23, 30, tzinfo=UTC)
"""In Berlin it is Thursday already, half past midnight."""
MOMENTS = {
    "en": ("tomorrow, 8:00", "Sunday, 18:05", "12 Dec, 8:00", "1 Mar 2025", "Sat, 12 Dec, 8:00"),
    "ar": ("غدًا، 8:00", "الأحد، 18:05", "12 ديسمبر، 8:00", "1 مارس 2025", "السبت، 12 ديسمبر، 8:00"),
    "de": (
        "morgen, 8:00",
        "Sonntag, 18:05",
        "12. Dez., 8:00",
        "1. März 2025",
        "Sa., 12. Dez., 8:00",
    ),
    "es": ("mañana, 8:00", "domingo, 18:05", "12 dic, 8:00", "1 mar 2025", "sáb, 12 dic, 8:00"),
    "fa": (
        "فردا،\u200f 8:00",
        "یکشنبه،\u200f 18:05",
        "12 دسامبر،\u200f 8:00",
        "1 مارس 2025",
        "شنبه 12 دسامبر،\u200f 8:00",
    ),
    "fr": ("demain, 8:00", "dimanche, 18:05", "12 déc., 8:00", "1 mars 2025", "sam. 12 déc., 8:00"),
    "hi": ("कल, 8:00", "रविवार, 18:05", "12 दिस॰, 8:00", "1 मार्च 2025", "शनि, 12 दिस॰, 8:00"),
    "id": ("besok 8.00", "Minggu 18.05", "12 Des 8.00", "1 Mar 2025", "Sab, 12 Des 8.00"),
    "it": ("domani, 8:00", "domenica, 18:05", "12 dic, 8:00", "1 mar 2025", "sab 12 dic, 8:00"),
    "ja": ("明日 8:00", "日曜日 18:05", "12月12日 8:00", "2025年3月1日", "12月12日(土) 8:00"),
    "ko": ("내일 8:00", "일요일 18:05", "12월 12일 8:00", "2025년 3월 1일", "12월 12일 (토) 8:00"),
    "nl": ("morgen, 8:00", "zondag, 18:05", "12 dec, 8:00", "1 mrt 2025", "za 12 dec, 8:00"),
    "pl": ("jutro, 8:00", "niedziela, 18:05", "12 gru, 8:00", "1 mar 2025", "sob., 12 gru, 8:00"),
    "pt-BR": (
        "amanhã 8:00",
        "domingo 18:05",
        "12 de dez. 8:00",
        "1 de mar. de 2025",
        "sáb., 12 de dez. 8:00",
    ),
    "ru": (
        "завтра, 8:00",
        "воскресенье, 18:05",
        "12 дек., 8:00",
        "1 мар. 2025\u202fг.",
        "сб, 12 дек., 8:00",
    ),
    "tr": ("yarın 8:00", "Pazar 18:05", "12 Ara 8:00", "1 Mar 2025", "12 Ara Cmt 8:00"),
    "uk": (
        "завтра, 8:00",
        "неділя, 18:05",
        "12 груд., 8:00",
        "1 бер. 2025\u202fр.",
        "сб, 12 груд., 8:00",
    ),
    "vi": (
        "8:00 ngày mai",
        "18:05 Chủ Nhật",
        "8:00 12 thg 12",
        "1 thg 3, 2025",
        "8:00 Thứ 7, 12 thg 12",
    ),
    "zh-Hans": ("明天 8:00", "星期日 18:05", "12月12日 8:00", "2025年3月1日", "12月12日周六 8:00"),
    "zh-Hant": ("明天 8:00", "星期日 18:05", "12月12日 8:00", "2025年3月1日", "12月12日週六 8:00"),
}
"""Tomorrow, within a week, later this year, another year, and by its date for a card."""
DURATIONS = {
    "en": ("3 hours", "2 hrs 30 mins", "1 day", "in 1 hour"),
    "ar": ("3 ساعات", "2 س 30 د", "يوم", "خلال ساعة واحدة"),
    "de": ("3 Stunden", "2 Std. 30 Min.", "1 Tag", "in 1 Stunde"),
    "es": ("3 horas", "2 h 30 min", "1 día", "dentro de 1 hora"),
    "fa": ("3 ساعت", "2 ساعت 30 دقیقه", "1 روز", "1 ساعت بعد"),
    "fr": ("3\xa0heures", "2\u202fh 30\xa0min", "1\xa0jour", "dans 1 heure"),
    "hi": ("3 घंटे", "2 घं॰ 30 मि॰", "1 दिन", "1 घंटे में"),
    "id": ("3 jam", "2 j 30 mnt", "1 hari", "dalam 1 jam"),
    "it": ("3 ore", "2 h 30 min", "1 giorno", "tra 1 ora"),
    "ja": ("3 時間", "2 時間 30 分", "1 日", "1 時間後"),
    "ko": ("3시간", "2시간 30분", "1일", "1시간 후"),
    "nl": ("3 uur", "2 uur 30 min", "1 dag", "over 1 uur"),
    "pl": ("3 godziny", "2 godz. 30 min", "1 dzień", "za 1 godzinę"),
    "pt-BR": ("3 horas", "2 h 30 min", "1 dia", "em 1 hora"),
    "ru": ("3 часа", "2 ч 30 мин", "1 день", "через 1 час"),
    "tr": ("3 saat", "2 sa. 30 dk.", "1 gün", "1 saat sonra"),
    "uk": ("3 години", "2 год 30 хв", "1 день", "через 1 годину"),
    "vi": ("3 tiếng", "2 tiếng 30 phút", "1 ngày", "sau 1 giờ nữa"),
    "zh-Hans": ("3小时", "2小时 30分钟", "1天", "1小时后"),
    "zh-Hant": ("3 小時", "2 小時 30 分鐘", "1 天", "1 小時後"),
}
"""Three hours, two and a half, a day, and in an hour."""
LATIN_TOO = {"ar", "fa", "hi", "ja", "ko", "ru", "uk", "zh-Hans", "zh-Hant"}


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_moment_is_said_as_people_do(locale: str) -> None:
    """Relative to the day on the user's own clocks, hours counted to 24."""
    clocks = Clocks(locale, BERLIN, NOW)
    assert MOMENTS[locale] == (
        clocks.moment(datetime(2026, 11, 27, 7, tzinfo=UTC)),
        clocks.moment(datetime(2026, 11, 29, 17, 5, tzinfo=UTC)),
        clocks.moment(datetime(2026, 12, 12, 7, tzinfo=UTC)),
        clocks.day(date(2025, 3, 1)),
        clocks.dated(datetime(2026, 12, 12, 8)),  # noqa: DTZ001 - local
    )


@pytest.mark.parametrize("locale", SUPPORTED_LOCALES)
def test_duration_is_said_in_units(locale: str) -> None:
    """One unit as a word, several of them short."""
    assert DURATIONS[locale] == (
        say_duration(timedelta(hours=3), locale),
        say_duration(timedelta(minutes=150), locale),
        say_duration(timedelta(days=1), locale),
        say_wait(3_600, locale).replace("\u2068", "").replace("\u2069", ""),
    )


@pytest.mark.parametrize("locale", sorted(LATIN_TOO))
def test_no_latin_letter_stands_in_another_script(locale: str) -> None:
    """Every month and weekday has its name in the language."""
    clocks = Clocks(locale, BERLIN, NOW)
    days = [date(2026, month, month) for month in range(1, 13)]
    days += [date(2026, 11, 26) + timedelta(away) for away in range(-1, 8)]
    said = [clocks.day(day) + clocks.dated_day(day) + say_full_date(day, locale) for day in days]
    letters = {one for text in said for one in text if one.isalpha()}
    assert not [one for one in letters if unicodedata.name(one).startswith("LATIN")]


def test_clock_is_that_of_the_user_or_said_to_be_utc() -> None:
    """Zones are called by their city, in the user's language."""
    at = datetime(2026, 11, 26, 7, tzinfo=UTC)
    assert Clocks("en", BERLIN, NOW).moment(at) == "today, 8:00"
    assert Clocks("en", "", NOW).moment(at) == "tomorrow, 7:00 UTC"
    assert Clocks("de").place("Asia/Tokyo") == "Tokio"
    assert Clocks("hi").place("Asia/Kolkata") == "कोलकाता"
    assert Clocks("en").place("UTC") == "UTC"
    assert Clocks("en").last(None) == "never"


def test_day_counts_from_the_readers_midnight() -> None:
    """At 23:30 UTC it is tomorrow in Berlin, and yesterday's evening in New York."""
    at = datetime(2026, 11, 25, 22, tzinfo=UTC)
    assert Clocks("en", BERLIN, NOW).moment(at) == "yesterday, 23:00"
    assert Clocks("en", "America/New_York", NOW).moment(at) == "today, 17:00"
    assert Clocks("en", BERLIN, NOW).present() == "Thursday, 0:30"
    assert Clocks("en", BERLIN, NOW).now_in_full() == "Thursday, 26 November 2026, 0:30"


def test_span_and_hours_are_said_once_with_their_day() -> None:
    """A block of a day, and quiet hours over midnight."""
    begins, ends = datetime(2026, 11, 27, 8), datetime(2026, 11, 27, 9, 30)  # noqa: DTZ001 - local
    assert Clocks("en", BERLIN, NOW).span(begins, ends) == "tomorrow, 8:00–9:30"
    assert Clocks("vi", BERLIN, NOW).span(begins, ends) == "8:00–9:30 ngày mai"
    assert Clocks("id", BERLIN, NOW).hours(time(22), time(7)) == "22.00–7.00"


def test_written_days_are_said_too() -> None:
    """The ISO text of the memory is worded; a text without a date stays as it is."""
    clocks = Clocks("en", BERLIN, NOW)
    assert clocks.written("2026-11-27") == "tomorrow"
    assert clocks.written("2026-11-25T23:10:00+00:00") == "today"
    assert clocks.written("some day") == "some day"


def test_wait_is_at_least_a_minute() -> None:
    """Nobody is told to wait for nothing."""
    assert say_wait(0, "en") == "in 1 minute"
    assert say_wait(86_400, "de") == "in 1 Tag"
