"""Whether the answer to a question depends on when it is asked, told by its words.

The words are chosen to miss rather than to mistake: "current account", "recent blockhash",
"now that" and "live validator" ask for no news.
"""

import re
import unicodedata

_NO_PRICE_OF_TODAY = r"mark|oracle|index|entry|limit|strike|liquidation|fair|spot|bid|ask|reserve"
_CHANGING = (
    r"prices?|rates?|version|value|status|events?|ap[yr]|yields?|tvl|president|chancellor|ceo"
    r"|champion|weather|temperature|time|date|season|standings|score|market|funding|supply|leader|government"
    r"|prime minister|king|queen|pope|inflation|interest|gas|exchange|situation|trends?|release"
    r"|affairs|roster|line-?up"
)
_OFFICES = (
    r"president|prime minister|chancellor|ceo|king|queen|pope|mayor|governor|secretary-general"
    r"|world champion|richest (?:man|woman|person)"
)
_ENGLISH = (
    r"\b(?:today|tonight|tomorrow|yesterday|nowadays|currently|right now|at the moment)\b",
    r"\bthese days\b",
    r"\bas of (?:now|late)\b|\b(?:so far|earlier|later) this (?:week|month|year)\b",
    r"\bthis (?:week|weekend|month|year|morning|afternoon|evening|season|quarter)\b",
    r"\b(?:last|next) (?:night|week|weekend)\b",
    r"(?<!by )(?<!until )(?<!till )(?<!for )(?<!from )\bnow\b(?=\s*(?:[?!.,]|$))",
    r"\b(?:latest|newest)\b(?! blockhash)|\bmost recent\b(?! blockhash)",
    r"\brecent(?:ly)? (?:news|events?|changes?|developments?|releases?|released|updates?)\b",
    rf"\bcurrent (?:\w+ ){{0,2}}(?:{_CHANGING})\b|\bpresent-day\b",
    r"(?<!good )(?<!bad )(?<!fake )\bnews\b(?! ?(?:paper|letter|agenc))|\bheadlines\b",
    r"\bweather (?:in|for|at|like|forecast)\b|\b(?:how|what)(?:'s| is| will) the weather\b",
    r"\bforecast for\b|\bwill it (?:rain|snow)\b",
    rf"(?<!\w )\b(?!(?:{_NO_PRICE_OF_TODAY})\b)[\w/-]{{2,12}} price\W*$",
    r"\b(?:what(?:'s| is)|tell me|show me|check|give me) the price of (?!an? )",
    (
        r"\bhow much (?:is|are) (?:\d[\d.,]* |one |an? )?[\w ]{1,20}"
        r"(?:worth|in (?:usd|eur|dollars|yen))\b"
    ),
    r"\blive (?:scores?|prices?|results?|updates?|ticker|standings)\b",
    rf"\bwho(?:'s| is) (?:\w+ )?(?:the )?(?:{_OFFICES})\b(?! (?:and|in the (?:book|film|movie)))",
    r"\bis (?:the )?[\w.-]+(?: network)? (?:down|offline)\W*$",
    r"\bwhen(?:'s| is| does| will)\b.{0,20}\bnext\b|\b(?:come out|released|out) yet\b|\btrending\b",
    r"\bopen (?:right )?now\b|\bcurrent (?:\w+ ){0,2}records?\b",
)
_JAPANESE = (
    r"今日|本日|今朝|今夜|今晩|昨日|明日|明後日|今週|今月|今年|来週|先週|昨夜|現時点|目下",
    r"(?<![一-鿿])今[一-鿿ぁ-ん]{1,4}て(?:る|い)|次の.{1,10}(?:は|が)?いつ",
    r"現在(?!価値|地|位置|完了|進行|形|割引)|最新(?!鋭)|ニュース|速報|天気(?:は|予報|を|どう|$)",
    r"最近の.{0,12}?(?:ニュース|動向|話題|出来事|価格|相場|更新|アップデート|リリース|変更|状況|情勢)",
    r"(?<![一-鿿])(?:今|いま)(?:の(?!説明|例|質問|答|回答|話|内容|文|やつ|は)|は|、|いくら|何|どう)",
    (
        r"(?<!清算)(?<!マーク)(?<!オラクル)(?<!指数)(?<!約定)(?<!平均)(?<!指値)"
        r"(?:価格|値段|株価|相場|時価総額|レート)(?:は|を教えて)?(?:いくら(?:ですか)?|[?？。]|\s*$)"
    ),
)
_TIME_BOUND = re.compile("|".join((*_ENGLISH, *_JAPANESE)))
_QUOTED = re.compile(
    r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|```.*?```|(?<!\w)'[^']*'(?!\w)", re.DOTALL
)
# Tasks that hold all that they need, whatever they speak of.
_TASK = re.compile(
    r"\b(?:haiku|poem|limerick|song|lyrics|joke|riddle|story|tale|e-?mail|letter|toast|invitation)\b"
    r"|\b(?:translate|rewrite|rephrase|paraphrase|proofread|correct (?:this|the following|my))\b"
    r"|俳句|短歌|川柳|詩を|詩に|歌詞|翻訳|訳して|書き直|言い換え|校正|添削|メール|手紙|冗談|ジョーク|物語|小説"
)
_PERSONAL = re.compile(
    r"\b(?:i|i'm|i've|i'd|me|my|mine|we|our|us|you|your)\b|私|わたし|僕|ぼく|俺|うちの|あなた|どこに住んで"
)
_POLITE = re.compile(
    r"\b(?:can|could|would|will|do) you(?: please)?(?: know| tell| show| give| find| look up| check"
    r"| search for| get)?(?: me| us)?\b|\b(?:tell|show|give|find|get) (?:me|us)\b|\blet me know\b"
    r"|\bcan i (?:see|get)\b|\bi(?:'d like| want) to know\b"
)


def is_time_bound(text: str) -> bool:
    """Whether the answer depends on when the question is asked ("today", "latest", 「最新」).

    Quoted words do not count, and a task that holds all it needs (a poem about today) is not.
    """
    folded = _QUOTED.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return not _TASK.search(folded) and bool(_TIME_BOUND.search(folded))


def asks_about_now(text: str) -> bool:
    """Whether it is a time-bound question on the world, and not on who asks or is asked."""
    folded = _POLITE.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    return is_time_bound(text) and not _PERSONAL.search(folded)
