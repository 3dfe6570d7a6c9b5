"""Reads a request to forget from a message, and picks the matching ones of numbered entries."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from rich_agent_sandbox.model.language.text import cjk_runs, content_terms, normalise, stem, words
from rich_agent_sandbox.model.prompt import Entry, Prompt

_POLITE = r"(?:(?:ok|okay|oh|hey|well|actually|bitte|por favor|من فضلك|لو سمحت)[,.!]?\s+)*"
_ENGLISH = re.compile(
    rf"{_POLITE}(?:please )?(?:(?:can|could|would|will) you (?:please )?|i want you to )?"
    r"(?:forget|unlearn|delete|erase|stop remembering)\b(?: about)? ?(?P<about>.*?)(?:,? please)?"
)
_GERMAN = re.compile(
    rf"{_POLITE}(?:vergiss|vergessen sie|lösche?)\b(?: bitte\b)?,? ?(?P<about>.*?)(?:,? bitte)?"
)
_GERMAN_AT_THE_END = re.compile(
    r"(?P<about>(?:das mit|alles über|alles zu) .+?) (?:kannst|darfst|sollst) du "
    r"(?:(?:bitte|jetzt|wieder|ruhig) )*(?:vergessen|löschen)"
)
_SPANISH = re.compile(rf"{_POLITE}(?:olvida|olvide|borra|borre)\b ?(?P<about>.*?)(?:,? por favor)?")
_JAPANESE = re.compile(
    r"(?P<about>.+?)(?:を|は|も)?(?:もう)?(?:忘れて|わすれて|消して)"
    r"(?:くれますか|くれる|ください|下さい|ほしい|いい|おいて)?[ねよ]?"
)
_CHINESE = re.compile(r"(?:请)?(?:你)?(?:忘记|忘掉|删除|刪除|删掉)(?P<about>.+?)(?:吧|好吗)?")
_CHINESE_AT_THE_END = re.compile(
    r"(?:请)?(?:你)?把(?P<about>.+?)(?:都|给)?(?:忘(?:了|掉|记)|删(?:了|掉|除))(?:吧|好吗)?"
)
_KOREAN = re.compile(
    r"(?P<about>.+?)(?:은|는|을|를|도)? (?:(?:좀|이제|다|그만) )*(?:잊어|지워|삭제해) ?"
    r"(?:줘|줄래|주세요|주실래요|주시겠어요)요?"
)
_ARABIC = re.compile(rf"{_POLITE}(?:انس[يى]?|امسح[يى]?|احذف[يى]?)\b ?(?P<about>.*?)(?:,? من فضلك)?")
_POINTS = re.compile("[\u064b-\u0652]")
_FRENCH = re.compile(rf"{_POLITE}(?:oublie|oubliez|efface)\b ?(?P<about>.*?)(?:,? s'il te plaît)?")
_WISHES = (
    _ENGLISH,
    _GERMAN,
    _GERMAN_AT_THE_END,
    _SPANISH,
    _FRENCH,
    _CHINESE_AT_THE_END,
    _CHINESE,
    _KOREAN,
    _ARABIC,
    _JAPANESE,
)
_DROPPED = re.compile(r"|it|es|lo|(?:about )?it|吧|它")
_LAST = re.compile(
    r"(?:that|this|that one|what i(?:'ve| have)? just (?:said|told you|wrote)|my last message"
    r"|the last thing i (?:said|told you)|das|was ich (?:gerade|eben) gesagt habe|eso|esto"
    r"|lo que acabo de decir|ça|cela|ce que je viens de dire|这个|這個|那个|刚才说的"
    r"|それ|これ|今の|さっき言ったこと|今言ったこと|그거|이거|방금 (?:한 )?말(?:한 거)?"
    r"|هذا|ده|ما قلته للتو|اللي قلته هلا)"
)
_EVERYTHING = re.compile(
    r"(?:me|everything|all|everything (?:that )?(?:about me|you know(?: about me)?|i told you)"
    r"|all (?:that )?you know(?: about me)?|alles(?: über mich)?|todo(?: sobre mí)?"
    r"|tout(?: sur moi)?|(?:关于)?我的一切|所有"
    r"|전부|모두|모든 걸|كل شيء?(?: عني)?"
    r"|全部|すべて|(?:私|僕|俺)のこと(?:は|を)?(?:全部|すべて)?)"
)
# "Forget the weather, tell me about staking"; "forget to lock".
_SOMETHING_ELSE = re.compile(
    r"[;?!。？]|\.(?=\s|$)|, (?!dass |was |que |lo que )|\binstead\b|^to\b|、"
)
_FRAMES = (
    re.compile(
        r"(?:what|everything|anything|all|that)?(?: that)? ?(?:i|we|you)(?:'ve| have)? "
        r"(?:just |ever )?(?:said|told you|tell you|know|remember|mentioned)(?: to you)?"
        r"(?: about| of| on)? (?P<of>.+)"
    ),
    re.compile(r"(?:everything|anything|all|that|about|where|who)(?: of)?(?: about)? (?P<of>.+)"),
    re.compile(
        r"(?:alles, )?was ich (?:dir )?(?:über|von|zu) (?P<of>.+?) (?:gesagt|erzählt)(?: habe?)?"
    ),
    re.compile(r"(?:dass|alles über) (?P<of>.+)"),
    re.compile(r"(?:todo )?lo que (?:te )?(?:dije|conté|he dicho) (?:sobre|de) (?P<of>.+)"),
    re.compile(r"(?:que|todo sobre) (?P<of>.+)"),
    re.compile(r"(?P<of>.+?)(?:について)?(?:私が)?(?:言った|話した|伝えた)こと"),
    re.compile(
        r"(?:关于)?(?:我的|我(?:跟你|对你|和你)?(?:说|讲|提)过?的)(?P<of>.+?)(?:的事(?:情)?)?"
    ),
    re.compile(r"das mit (?:mein(?:er|em|en) |der |dem |den )?(?P<of>.+)"),
    re.compile(
        r"ce que je (?:t'|vous )?ai (?:dit|raconté|écrit) (?:sur|de|à propos de) "
        r"(?:mon |ma |mes )?(?P<of>.+)"
    ),
    re.compile(
        r"(?:아까 |내가 |제가 )*(?:말한|말했던|얘기한|이야기한) (?P<of>.+?)"
        r"(?: (?:얘기|이야기|거|것|건))?"
    ),
    re.compile(
        r"(?P<of>.+?)(?:에 대해|에 관해)? ?(?:(?:얘기|이야기|말)(?:한|했던) )?"
        r"(?:거|것|건|얘기|이야기)"
    ),
    re.compile(
        r"(?:كل )?(?:ما|اللي|الي) (?:قلته|قلت|حكيته|حكيت|ذكرته|ذكرت)(?: لك)? (?:عن|حول) (?P<of>.+)"
    ),
    re.compile(r"(?P<of>.+?)(?:の|という)?(?:こと|話)"),
)
_POINTLESS_WORDS = """
i'm i my me you your the a an am is are was were have has had of to in on at and or do not as
told tell said say about that this it live lives work works ich mein meine meinen meiner dir
habe hat bin ist gegen auf über dass war mit von zu ein eine und der die das arbeite arbeitet
mon ma mes je suis du le les un au comme travaille
mi mis yo soy es tengo tiene al de del la el los las que un una estoy en con trabajo
내 제 나 저 너 عن في من على
"""
_POINTLESS = frozenset(_POINTLESS_WORDS.split())
_SAME = (
    frozenset(["job", "work", "works", "working", "profession", "occupation", "career"]),
    frozenset(["home", "live", "lives", "living", "residence", "address"]),
    frozenset(["beruf", "arbeit", "job", "arbeite", "arbeitet"]),
    frozenset(["trabajo", "trabaja", "trabajar", "empleo", "profesión"]),
    frozenset(("仕事", "職業", "職場")),
    frozenset(("工作", "职业")),
)
_OF_ONESELF = re.compile(
    r"\b(?:i|i'm|my|me|mine|user|ich|mein\w*|mir|mich|yo|mi|mis|me|soy|tengo|vivo|trabajo|je|mon|ma|mes)\b"
    r"|[私僕俺我]|です|ます"
)


def read_wish(prompt: Prompt) -> Mapping[str, Any] | None:
    """Read what the message wants forgotten: scope, subject, words for it; None if nothing."""
    said = _POINTS.sub("", normalise(prompt.question)).replace("’", "'")
    line = " ".join(said.split()).strip(" .!?。！？؟")
    found = next((match for kind in _WISHES if (match := kind.fullmatch(line))), None)
    if found is None or _DROPPED.fullmatch(found["about"]):
        return None
    about = found["about"]
    if _LAST.fullmatch(about):
        return {"scope": "last", "what": "", "words": []}
    if _EVERYTHING.fullmatch(about):
        return {"scope": "everything", "what": "", "words": []}
    if _SOMETHING_ELSE.search(about):
        return None
    what = _without_frame(about)
    return {"scope": "subject", "what": what, "words": _words_for(what, prompt.memory)}


def choose_entries(prompt: Prompt) -> list[int]:
    """The numbers of the entries about the subject and the user."""
    wanted = _stems(prompt.question)
    return [entry.number for entry in prompt.entries if _tells(entry, wanted)]


def _tells(entry: Entry, wanted: frozenset[str]) -> bool:
    if not wanted & _stems(entry.text):
        return False
    return entry.kind != "message" or bool(_OF_ONESELF.search(normalise(entry.text)))


def _without_frame(about: str) -> str:
    for frame in _FRAMES:
        if match := frame.fullmatch(about):
            return match["of"].strip()
    return about


def _words_for(what: str, memory: Sequence[str]) -> list[str]:
    """Its words, their synonyms, and the words of matching memories."""
    said = {word for word in words(what) if word not in _POINTLESS} | set(cjk_runs(what))
    general = {*words(what), *cjk_runs(what)}
    for group in _SAME:
        if group & general:
            said |= group
    stems = {stem(word) for word in said}
    for line in memory:
        told = words(line)
        if stems & {stem(word) for word in told} or any(run in line for run in cjk_runs(what)):
            said |= {word for word in told if word not in _POINTLESS}
    return sorted(said)


def _stems(text: str) -> frozenset[str]:
    return frozenset(
        term for term in content_terms(text) if term not in _POINTLESS or term in _GENERAL
    )


_GENERAL = frozenset(stem(word) for group in _SAME for word in group)
