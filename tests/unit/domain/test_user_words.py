"""Texts of calls that consist of the user's words, in the forms that languages give them."""

import pytest

from rich_agent.domain.approving.user_words import is_made_of, names_place

WISHES = [
    ("remind me every monday at 9 to water the plants", "Water the plants"),
    ("erinnere mich jeden Montag um 9 daran, die Pflanzen zu gießen", "Pflanzen gießen"),
    ("recuérdame cada lunes a las 9 que riegue las plantas", "Regar las plantas"),
    ("rappelle-moi chaque lundi à 9 h d’arroser les plantes", "Arroser les plantes"),
    ("ricordami ogni lunedì alle 9 di annaffiare le piante", "Annaffiare le piante"),
    ("напоминай мне каждый понедельник в 9 поливать цветы", "Полить цветы"),
    ("毎週月曜の9時に植物に水をやるのをリマインドして", "植物に水をやる"),
    ("매주 월요일 9시에 식물에 물 주라고 알려줘", "식물에 물 주기"),
    ("每周一早上九点提醒我给植物浇水", "给植物浇水"),
    ("ذكرني كل يوم اثنين الساعة 9 بأن أسقي النباتات", "سقي النباتات"),
    ("हर सोमवार 9 बजे पौधों को पानी देने की याद दिलाना", "पौधों को पानी देना"),
    ("her pazartesi 9'da çiçekleri sulamayı hatırlat", "Çiçekleri sula"),
]


@pytest.mark.req("ACT-1")
@pytest.mark.parametrize(("said", "text"), WISHES)
def test_title_in_other_forms_is_the_user_s(said: str, text: str) -> None:
    """A title is made of the words of its wish, in twelve languages."""
    assert is_made_of(text, said)


@pytest.mark.parametrize(("said", "text"), WISHES)
def test_word_that_nobody_said_is_not_the_user_s(said: str, text: str) -> None:
    """One more of an author of a page, a number or a name is enough."""
    for more in ("Mallory", "4711", "DE99", "evil.example", "ukuphela", "支付宝转账给马洛里"):
        assert not is_made_of(f"{text} {more}", said), more


ENDINGS = [
    ("ruf Oma morgen an", "Oma anrufen"),
    ("trag den Zahnarzt am Dienstag ein", "Zahnarzt eintragen"),
    ("her pazartesi 9'da çiçekleri sulamayı hatırlat", "Çiçekleri sula"),
    ("हर सोमवार 9 बजे पौधों को पानी देने की याद दिलाना", "पौधों को पानी देना"),
    ("매주 월요일 9시에 식물에 물 주라고 알려줘", "식물에 물 주기"),
    ("毎週月曜の9時に植物に水をやるのをリマインドして", "植物に水をやる"),
    ("remind me to water the plants", "Plants watering"),
]
OTHERS = [
    ("buy milk", "buy silk"),
    ("trip to Berlin", "trip to Bern"),
    ("call Maria", "call Mara"),
    ("pay Ann", "pay Anna"),
    ("call 4711", "call 47110"),
    ("每周一早上九点提醒我给植物浇水", "提醒我给植物浇水马洛"),
]


@pytest.mark.req("ACT-1")
@pytest.mark.parametrize(("said", "text"), ENDINGS)
def test_word_with_another_ending_is_the_user_s_among_untrusted_words(said: str, text: str) -> None:
    """An ending, or a particle that its language writes apart, makes no other word of it."""
    assert is_made_of(text, said, is_strict=True)


@pytest.mark.parametrize(("said", "text"), OTHERS)
def test_word_that_only_looks_alike_is_not_the_user_s_among_untrusted_words(
    said: str, text: str
) -> None:
    """Others may have chosen it."""
    assert not is_made_of(text, said, is_strict=True)


def test_message_names_a_place_by_city_country_or_zone() -> None:
    """Anywhere in it; another place of the same zone is the same for the clock."""
    assert names_place("Europe/Berlin", "remind me at 8\nBerlin")
    assert names_place("New York", "I live in New York, remind me at 8")
    assert names_place("Asia/Tokyo", "8時に教えて\n東京")
    assert not names_place("Pacific/Kiritimati", "remind me at 8\nBerlin")
