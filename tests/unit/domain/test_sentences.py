"""The ends of sentences, also behind abbreviations in the languages of the bot."""

import pytest

from rich_agent.domain.answer.comparison import judge
from rich_agent.domain.answer.grounding import Opinion
from rich_agent.domain.answer.sentences import sentences_in
from tests import make

WHOLE = [
    "It is run by Dr. Smith of St. Mary's Hospital.",
    "See Fig. 3 and No. 5 of the U.S. Army.",
    "It weighs approx. 40 kg since Sept. 2019.",
    "Er kam am 14. Mai mit Prof. Klein aus der Fa. Krupp, Bd. 12.",
    "2024 wurden 3,4 Mio. € ausgegeben, ca. 40 je Tag, s. Nr. 15.",
    "Il est parti av. Foch, env. 40 km, avec Mme. Martin, fig. 12.",
    "El Sr. García vive en Av. Libertad, núm. 15, aprox. 40 metros.",
    "Il Dott. Bianchi del Sig. Rossi costa ca. 40 euro, pag. 12.",
    "Dhr. Jansen en Mevr. De Vries wonen op nr. 15 voor ca. 40 euro.",
    "Prof. Nowak i dr. Kowalski, ul. Długa nr. 15, ok. 40 zł.",
    "O Dr. Souza mora na Av. Paulista, aprox. 40 km, pág. 12.",
    "Проф. Иванов живёт на ул. Ленина, см. рис. 12, ок. 3 млн. Рублей.",
    "Проф. Іваненко живе на вул. Франка, див. рис. 12, бл. 3 млн. Гривень.",
    "Dr. Yılmaz ve Av. Demir No. 15'te, yakl. 40 kişi.",
    "يعمل د. أحمد هناك، ص. 15.",
    "دکتر رضایی و د. احمد آنجا هستند، ص. 15.",
    "डॉ. शर्मा और श्री. वर्मा क्र. 15 में हैं।",
    "Dr. Budi tinggal di Jl. Sudirman No. 15.",
    "TS. Nguyễn sống ở TP. Hồ Chí Minh, Q. 12.",
    "彼はDr. Smithで、No. 15です。",
    "그는 Dr. Kim이고 No. 15에 산다.",
    "他是Dr. Smith，住在No. 15。",
]
PAIRS = [
    "The answer is no. It is closed.",
    "He lives in the U.S. She lives in Peru.",
    "Es waren 3,4 Mio. Das ist viel.",
    "It closed in Sept. The shop is empty.",
    "It costs 14. The shop is open.",
    "Es kostet 5. Das reicht.",
    "Il mare è calmo. Nessuno parla.",
    "Это стоит 40 руб. Он живёт здесь.",
    "彼は医者です。彼女も医者です。",
]


@pytest.mark.parametrize("text", WHOLE)
def test_sentences_do_not_end_at_abbreviations(text: str) -> None:
    """Titles, places, millions, numbers, months and acronyms, in twenty languages."""
    assert [text[start:end] for start, end in sentences_in(text)] == [text]


@pytest.mark.parametrize("text", PAIRS)
def test_sentences_end_where_others_begin(text: str) -> None:
    """Also behind an abbreviation, and where a word is no abbreviation."""
    assert len(list(sentences_in(text))) == 2


@pytest.mark.req("RAG-4")
def test_sentence_with_an_abbreviation_gets_its_marker_at_its_end() -> None:
    """Not within it."""
    text = "2024 wurden 3,4 Mio. € ausgegeben."
    found = judge(text, [make.passage(1, content="3.400.000 Euro im Jahr 2024")], "")
    judged = found.with_opinion(Opinion({1: [1]}), found.doubtful, [1])
    assert judged.cited.text == f"{text} [1]"
