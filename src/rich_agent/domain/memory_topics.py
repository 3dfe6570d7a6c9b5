"""What a remembered thing is about, and on which topics only the newest word holds.

A model proposes a topic; these rules have the last word, so that a user who moves has one home
whatever the model says.
"""

import re
from collections.abc import Mapping

from rich_agent.domain.memory import MemoryKind

SINGULAR: Mapping[MemoryKind, frozenset[str]] = {
    "facts": frozenset(
        {"residence", "name", "age", "birthday", "job", "employer", "origin", "timezone"}
        | {"email", "phone", "marital_status"}
    ),
    "preferences": frozenset({"language", "length", "tone", "emoji", "address", "timezone"}),
    "tasks": frozenset(),
}
"""Topics of which one item is true at a time: a new one replaces the old."""

MANY = frozenset({"allergy", "diet", "family", "pet", "hobby", "health", "medication", "skill"})
"""Topics of which much is true at a time, whatever a model says of a new item."""

_SAME: Mapping[str, str] = (
    {
        other: topic
        for topic, others in {
            "residence": "home city location place living lives_in country town"
            " 住所 居住地 住まい 家",
            "name": "full_name first_name user_name called 名前 氏名",
            "birthday": "birth_date date_of_birth birthdate 誕生日 生年月日",
            "age": "年齢",
            "job": "occupation profession work career position role 職業 仕事",
            "employer": "company workplace works_at works_for 勤務先 会社 勤め先",
            "origin": "hometown birthplace from 出身 出身地",
            "timezone": "time_zone tz",
            "marital_status": "relationship_status civil_status",
            "email": "e_mail email_address mail メール メールアドレス",
            "phone": "phone_number telephone 電話 電話番号",
            "language": "answer_language response_language reply_language language_preference 言語",
            "length": "answer_length response_length verbosity brevity detail conciseness 長さ",
            "tone": "formality politeness 口調 文体 敬語",
            "emoji": "emojis 絵文字",
            "address": "nickname form_of_address call_me addressing 呼び方 呼称",
        }.items()
        for other in others.split()
    }
    | dict.fromkeys(("allergies", "アレルギー"), "allergy")
    | dict.fromkeys(("pets", "animal", "animals", "cat", "dog", "ペット"), "pet")
    | dict.fromkeys(
        ("children", "child", "son", "daughter", "spouse", "wife", "husband", "relatives", "家族"),
        "family",
    )
    | dict.fromkeys(("hobbies", "趣味"), "hobby")
)


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


_TOLD: Mapping[MemoryKind, Mapping[str, re.Pattern[str]]] = {
    "facts": {
        "residence": _any(
            r"^(?:now )?(?:lives|living|resides|is based|(?:has )?moved) (?:in|to|at)\b",
            r"に(?:住|引っ越)",
            r"在住",
        ),
        "name": _any(
            r"^(?:his |her |their |the user's )?name is\b", r"^is (?:called|named)\b", r"名前は"
        ),
        "age": _any(r"^is \d{1,3}(?: years old)?$", r"\d{1,3}歳"),
        "birthday": _any(r"\bbirthday\b", r"^was born on\b", r"誕生日"),
        "employer": _any(r"^works (?:at|for)\b", r"に勤め"),
        "job": _any(r"^works as\b", r"^is an? .+ by (?:profession|trade)$", r"として働"),
    },
    "preferences": {
        "emoji": _any(r"\bemojis?\b", r"絵文字"),
        "length": _any(
            r"\b(?:short|shorter|brief|briefly|concise|concisely|terse|long|longer|detail|detailed)\b",
            r"\bin depth\b",
            r"短(?:く|い|め)|長(?:く|め)|簡潔|詳し",
        ),
        "language": _any(
            r"\b(?:answers?|reply|replies|respond|responses?|write|speak|messages)\b.*\bin "
            r"(?!(?:prose|full|bullets?|lists?|tables?|steps?|sentences?|paragraphs?|markdown)\b)"
            r"[a-z]+(?: only| always)?$",
            r"(?<!敬)語で",
        ),
        "address": _any(r"\bbe (?:called|addressed)\b", r"\bcall (?:them|him|her|me)\b", r"と呼"),
        "tone": _any(
            r"\b(?:formal|formally|informal|casual|friendly|polite|humorous)\b",
            r"敬語|丁寧|タメ口|カジュアル",
        ),
    },
    "tasks": {},
}

_OF_USER = re.compile(r"^(?:the )?user(?:\s+|'s\s+)|^(?:ユーザー|利用者)[はのが、]\s*")
_PEOPLE = (
    r"wife|husband|partner|spouse|girlfriend|boyfriend|fianc\w+|mother|mom|mum|father|dad|parents?"
    r"|sisters?|brothers?|siblings?|sons?|daughters?|child|children|kids?|baby|twins?|grand\w+|aunt"
    r"|uncle|cousins?|nieces?|nephews?|friends?|roommate|flatmate|neighbou?rs?|colleagues?|family"
    r"|cats?|dogs?|pets?|puppy|kitten|hamster|rabbit|horse|parrot"
)
_OF_OTHERS = _any(
    rf"^(?:(?:has|owns) (?:an? |two |\d+ )?|his |her |their |an? )?(?:\w+ )?(?:{_PEOPLE})\b",
    r"^[\w .-]{1,40}['’]s\b",
    r"^(?:work|office|business|second|other|old|former) ",
    r"^(?:義理?の?)?(?:妻|夫|主人|旦那|嫁|彼女|彼氏|恋人|父|母|両親|親|兄|弟|姉|妹|息子|娘|子供|子ども|祖父|祖母|孫"
    r"|友人|友達|同僚|上司|猫|犬|ペット|うさぎ)(?:さん|ちゃん|くん|たち)?[のはがも、]",
)
_OF_OTHER_TIMES = _any(
    r"^(?:will|would|wants?|plans?|intends?|hopes?|might|may|used|lived|worked|considers?|dreams?"
    r"|formerly|previously|once)\b",
    r"^is (?:planning|going to|about to|hoping|considering|thinking|dreaming|looking)\b",
    r"予定|つもり|計画|たい(?:と|です|。|$)|かもしれない|考えている|検討|以前|かつて|昔は|んでいた|いていた",
)
_LIKING = _any(
    r"^(?:likes|loves|enjoys|hates|dislikes|is fond of|is into)\b", r"(?:好き|嫌い)(?:だ|です)?$"
)
_ANSWERS = _any(
    r"\b(?:answers?|repl(?:y|ies)|responses?|explanations?|messages?)\b", r"答|回答|返|説明"
)


def topic_of(kind: MemoryKind, text: str, proposed: str = "") -> str:
    """The topic of an item: as its words tell, else as a model proposed; "" for neither.

    Of the topics with one item at a time none is that of other people, plans and the past.
    """
    folded = _OF_USER.sub("", " ".join(text.casefold().split()).rstrip(".。! "))
    topic = "_".join(re.findall(r"\w+", proposed.casefold()))
    topic = topic if topic in SINGULAR[kind] else _SAME.get(topic, topic)
    if kind == "facts" and (_OF_OTHERS.search(folded) or _OF_OTHER_TIMES.search(folded)):
        return "" if topic in SINGULAR[kind] else topic
    if kind == "preferences" and _LIKING.search(folded) and not _ANSWERS.search(folded):
        return "" if topic in SINGULAR[kind] else topic
    told = (name for name, words in _TOLD[kind].items() if words.search(folded))
    return next(told, topic)
