"""What a message is when it asks for nothing: told by a table, without a model.

A kind is matched against the whole message, never a part: "hi, what is a validator?" is a question.
"""

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

SmallTalk = Literal[
    "greeting",
    "farewell",
    "thanks",
    "courtesy",
    "help",
    "laughter",
    "reaction",
    "silence",
    "number",
    "agreement",
    "word",
]

_TO = r"(?: (?:there|bot|all|everyone|everybody|guys|friend|my friend|again|buddy|mate|assistant))?"
_PRAISE = r"(?:ok(?:ay)?|great|cool|nice|perfect|awesome|oh|many)"
_HELP = r"(?: (?:very much|so much|a lot|a bunch|a million|a ton|again|for (?:the|your) help))?"
# English and Japanese in full, and the commonest words of other widely spoken languages.
_TABLE: Mapping[SmallTalk, tuple[str, ...]] = MappingProxyType(
    {
        "greeting": (
            rf"(?:hi+|hello+|he+y+a*|yo+|sup|wassup|hiya|howdy|ahoy|greetings|gm){_TO}",
            rf"(?:(?:good )?(?:morning|afternoon|evening)|good day|g day){_TO}",
            r"や[あぁ]?|やっほ|よお|よう|おっす|お+い|ども|どうも|もしもし|ハロー?|ハイ|こんにち[はわ]",
            r"こんばん[はわ]|おは(?:よう(?:ございます)?|よ)|(?:皆さん|みなさん)(?:こんにちは|こんばんは)",
            r"hola|buenas|buen(?:os d[ií]as|as tardes|as noches)|bonjour|bonsoir|salut|coucou",
            r"hallo|guten (?:morgen|tag|abend)|moin(?: moin)?|servus|gr[uü]ss gott|hej|hei|hoi",
            r"ciao|salve|buon ?giorno|buona ?sera|ol[aá]|oi|bom dia|boa (?:tarde|noite)|merhaba",
            r"goede(?:morgen|middag|navond)|cześć|dzień dobry|halo|selam(?:at (?:pagi|malam))?",
            r"xin chào|chào|привет|здравствуй(?:те)?|добр(?:ый день|ое утро|ый вечер)|привіт",
            r"γεια(?: σου| σας)?|שלום|سلام|مرحبا|السلام عليكم|नमस्ते|नमस्कार|নমস্কার",
            r"สวัสดี(?:ครับ|ค่ะ)?",
            r"你好|您好|嗨|早上好|早安|大家好|晚上好|안녕(?:하세요)?",
        ),
        "farewell": (
            rf"(?:bye+(?: bye)?|good ?bye|see (?:you|ya)(?: (?:later|soon|tomorrow))?|cya){_TO}",
            rf"(?:good ?night|gn|take care|ttyl|bye for now|sleep well){_TO}",
            r"have a (?:nice|good|great) (?:day|evening)",
            r"さよ[う]?なら|(?:じゃあ?|では?)?(?:また)?ね|(?:では|じゃあ?)また|バイバイ|おやすみ(?:なさい)?",
            r"また(?:明日|あした|今度|後で|あとで)(?:ね)?|失礼します|お疲れ様(?:でした|です)?",
            r"adi[oó]s|hasta (?:luego|mañana|pronto)|au revoir|à (?:bientôt|demain)|arrivederci",
            r"tschüss|auf wiedersehen|gute nacht|tchau|até (?:logo|amanhã)|пока|до свидания",
            r"再见|再見|拜拜|晚安|안녕히 (?:가세요|계세요)",
        ),
        "thanks": (
            rf"(?:{_PRAISE} )?(?:thanks|thx|tnx|thank (?:you|u)|ty|tysm|cheers){_HELP}{_TO}",
            r"(?:どうも)?(?:本当に)?(?:ありがとう?|有難う|有り難う)(?:ございま(?:す|した))?|サンキュ|助かりました|感謝",
            r"(?:muchas )?gracias|merci(?: beaucoup)?|danke(?: (?:schön|sehr|dir))?|vielen dank",
            r"grazie(?: mille)?|(?:muito )?obrigad[oa]|tack|dank je(?: wel)?|bedankt|dziękuję",
            r"teşekkür(?:ler| ederim)|terima kasih|cảm ơn|спасибо(?: большое)?|дякую|ευχαριστώ",
            r"תודה|شكرا|धन्यवाद|ขอบคุณ(?:ครับ|ค่ะ)?|谢谢|謝謝|多谢|감사합니다|고마워요?",
        ),
        "courtesy": (
            rf"how (?:are|r) (?:you|u|things)(?: doing)?(?: (?:today|these days|now))?{_TO}",
            rf"how(?: i)?s (?:it going|life)|how (?:do you do|have you been)|what ?s up{_TO}",
            r"(?:nice|pleased|great) to meet you|(?:i ?m )?(?:so )?(?:sorry|fine)|never ?mind",
            r"no (?:problem|worries)|my bad|well done|good (?:job|bot)|nice one|you ?re welcome",
            r"that helped(?: a lot)?|good one",
            r"of course|all (?:right|good)|got it|i see|(?:sounds|looks) good|makes sense",
            r"お?元気(?:ですか|かい|か)?|調子は(?:どう(?:ですか)?)?|は[じ]めまして|初めまして",
            r"(?:どうぞ)?よろしく(?:お願い(?:し|いたし|致し)ます|ね)?|すみません|ごめん(?:ね|なさい)?",
            r"なるほど(?:ね|です)?|了解(?:です|しました)|(?:わか|分か)(?:りました|った)|承知(?:です|しました)",
            r"大丈夫(?:です)?|そう(?:ですか|なんですね|だね)|いい(?:ね|ですね)|すごい(?:ね|です)?",
            r"qué tal|cómo estás|ça va|wie geht ?s(?: dir)?|come stai|tudo bem|как дела|你好吗",
        ),
        "help": (
            rf"(?:help|menu|commands|(?:please )?help me(?: please)?){_TO}",
            r"ヘルプ|助けて|使い方|メニュー|コマンド|ayuda|aide|hilfe|aiuto|ajuda|помощь|帮助|도움말",
        ),
        "laughter": (
            r"(?:ha){2,}h?|(?:he){2,}|(?:hi){2,}|(?:ho){2,}|(?:ja){2,}|lo+l+|lmf?ao|rofl|xd+|k{2,}",
            r"w{2,}|草+|笑+|爆笑|[はふ]{3,}|ハ{2,}|フ{2,}|ㅋ+|ㅎ+|(?:ха){2,}|哈{2,}",
        ),
    }
)
_PATTERNS = {
    kind: re.compile(unicodedata.normalize("NFKC", "|".join(phrases)))
    for kind, phrases in _TABLE.items()
}
_CALCULATION = re.compile(r"(?=.*\d)[\d\s.,+\-*/×÷x^()%=]+\??")
_LONGEST_WORD = 20
_LONGEST_WORD_LOOKED_UP = 40
_LONGEST_CJK_WORD = 12
_CJK = re.compile("[぀-ヿ㐀-䶿一-鿿가-힯]")
_SHORT_CJK_CHARS = 4
# One word that is a question all the same.
_ASKING = re.compile(
    r"why|how|who|whom|whose|what|when|where|which|really|なぜ|何故|どうして|なんで|何|なに|誰|だれ|どこ"
    r"|いつ|どれ|どう|いくら|本当|.*(?:は|とは|って|なら|の場合)"
)
_PAUSE = re.compile(r"[,.!?;…、。！？\n]+")
_SOFT = re.compile(
    r"ok(?:ay)?|cool|great|nice|perfect|awesome|wow|oh|ah|hmm+|well|yes|yeah|yep|no|nope|sure|right"
    r"|はい|うん|ええ|いえ|いいえ|おお|あら|へえ|わあ|了解|ja|nein|doch|s[ií]|oui|non|sim|não|да|нет"
    r"|是|不|好|네|아니요|tak|nie|evet|hay[ıi]r"
)
_NO_LETTER = re.compile("[\ufe00-\ufe0f\u20e3]")
_LONG = "[ーっッぁぇぉ]"
_KANA = "[ぁ-んァ-ン]"
# The first kana of a run stays, where the run begins without one before it.
_DRAWN_OUT = re.compile(
    rf"(?<!{_LONG})(?:(?<={_KANA})|((?<!{_KANA})ー*+[っッぁぇぉ])){_LONG}++(?= |$)"
)


def small_talk(text: str) -> SmallTalk | None:
    """What kind of small talk the whole text is, None if it may ask for something.

    "number" is a number or a sum, "reaction" holds emoji only, "silence" not even these,
    "agreement" is "ok", "yes", "no" and the like, "word" is any other word without a question mark.
    """
    bare = _bare(text)
    if not bare:
        return "reaction" if any(map(_is_picture, text)) else "silence"
    if kind := _kind_of(bare) or _kind_together(text):
        return kind
    if _CALCULATION.fullmatch(unicodedata.normalize("NFKC", text).strip()):
        return "number"
    if not _is_single_word(bare, text):
        return None
    return "agreement" if _SOFT.fullmatch(bare) else "word"


def lone_word(text: str) -> str:
    """The one word that the text consists of, without the marks around it; "" for anything else.

    「有給休暇」 is one word, and so is "SHA-256"; "why?" asks for something that it does not name.
    """
    plain = unicodedata.normalize("NFKC", text).strip()
    letters = [place for place, c in enumerate(plain) if _belongs_to_a_word(c)]
    word = plain[letters[0] : letters[-1] + 1] if letters else ""
    longest = _LONGEST_CJK_WORD if _CJK.search(word) else _LONGEST_WORD_LOOKED_UP
    if len(word) > longest or len(word.split()) != 1:
        return ""
    bare = _bare(word)
    asks_nothing = bool(_kind_of(bare) or _SOFT.fullmatch(bare) or _ASKING.fullmatch(bare))
    return "" if asks_nothing or _CALCULATION.fullmatch(word) else word


def _kind_of(bare: str) -> SmallTalk | None:
    return next((kind for kind, found in _PATTERNS.items() if found.fullmatch(bare)), None)


def _kind_together(text: str) -> SmallTalk | None:
    """The kind of several phrases, each small talk by itself: "cool, thanks!"."""
    phrases = [bare for part in _PAUSE.split(text) if (bare := _bare(part))]
    kinds = [_kind_of(phrase) for phrase in phrases if not _SOFT.fullmatch(phrase)]
    if None in kinds or not kinds:
        return None
    # Who asks how it goes gets an answer to that.
    return "courtesy" if "courtesy" in kinds else kinds[-1]


def _bare(text: str) -> str:
    """The words alone: folded, without punctuation, emoji and drawn-out endings."""
    folded = _NO_LETTER.sub("", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(c if _belongs_to_a_word(c) else " " for c in folded)
    return _DRAWN_OUT.sub(r"\1", " ".join(kept.split()))


def _is_picture(character: str) -> bool:
    return unicodedata.category(character) == "So"


def _belongs_to_a_word(character: str) -> bool:
    return character.isalnum() or character == "ー" or unicodedata.category(character)[0] == "M"


def _is_single_word(bare: str, text: str) -> bool:
    is_word = len(bare) <= _LONGEST_WORD and not any(c == " " or c.isdecimal() for c in bare)
    if not is_word or "?" in text or "？" in text or _ASKING.fullmatch(bare):
        return False
    return not _CJK.search(bare) or len(bare) <= _SHORT_CJK_CHARS
