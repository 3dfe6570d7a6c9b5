"""Words of many languages that name nothing, by script and language."""

from collections.abc import Mapping
from types import MappingProxyType

_LATIN = """
english: a about above after again all am an and any are as at be because been before being below
  between both but by can could did do does doing down during each few for from further had has
  have having he her here hers herself him himself his how i if in into is it its itself just me
  more most my myself no nor not now of off on once only or other our ours ourselves out over own s
  same she should so some such t than that the their theirs them themselves then there these they
  this those through to too under until up very was we were what when where which while who whom
  why will with would you your yours yourself yourselves ll re ve d m don
albanian: dhe në të një për nga është që me si së janë ka kjo por nuk ky çfarë
afrikaans: die en van nie is het vir wat met hy dat ek sy ons hulle aan word was hierdie hoe
basque: eta da du ez bat dira zen izan dute hau baina beste bere edo zer nola dago egin ere
catalan: de la el que i en els les per una un amb del és al són dels com més aquest aquesta què no
  es pel quan però on
czech: a se v na je že s z do o i to jako za by pro od po které který která není také jsou ve ale
  nebo byl tak jak co při až
danish: og i at er en det den til af på de for med der som har et ikke om var han fra kan vil jeg
  ved hvad hvor hvordan efter eller
dutch: de het een van en in is dat op te zijn met voor niet aan er om ook als bij door naar uit
  maar wordt hij ze wat hoe werd deze welke waar
esperanto: la kaj de en estas al por kiu kun ne pri oni kiuj aŭ ke el li ĝi mi per kiel kio
estonian: ja on ei et kui oli see mis ta ka oma või aga kes selle nii siis seda kas kuidas millal
finnish: ja on ei että se oli hän ovat kun mutta joka tai myös ole mikä jossa jotka olla sen kuin
  miten milloin mitä voi
french: de la le et les des en un une du que est dans qui a par pour au sur il pas plus ce ne se
  sont avec aux été ou son sa cette ses comme mais nous vous je on elle quel quelle comment quand
  où
galician: de a o que e do da en un unha os as no na por con para non é se máis como dos das ao pero
german: der die das und in zu den mit von ist des nicht ein eine dem im für auf sich auch es an
  werden als wird bei aus einer nach wie hat sie sind um am über einen wurde noch zum zur durch was
  er wir ich ihr oder aber kann dass welche welcher wann warum wo wer
hungarian: a az és hogy nem is egy volt van meg ez de ha csak mint el vagy kell azt ami milyen
  hogyan mikor ki még már
icelandic: og að í á er til um við sem en hann var það með ekki fyrir af eru ég hvað hvernig
indonesian: yang dan di dari dengan untuk pada dalam ini itu adalah tidak oleh ke sebagai akan atau
  juga tersebut bagaimana apa kapan saya anda bisa telah
irish: an na agus ar is a i le tá go do sé ag ní leis nach ach mar chun faoi cad conas
italian: di e il la che in un per una del è dei le da con non i della si al come più anche alla
  sono nel gli lo delle ha su o questo questa ma dal quale quali quando dove chi cosa
latvian: un ir no uz ar par kas ka lai arī bet kā tas viņš nav vai pie tika kad kur
lithuanian: ir kad yra į iš su ne tai kaip bet jis buvo už apie nuo ar taip kas savo tik kur kada
  gali per
malay: yang dan di dengan untuk pada dalam ini itu ialah adalah tidak oleh ke sebagai atau boleh
norwegian: og i det er på en til av å for med som at de har den et ikke om var fra kan han jeg vil
  seg ved hva hvor hvordan eller etter
polish: w i na z się do nie to że jest o jak po od za przez dla są co ale który która które oraz
  lub czy przy być został tym kiedy gdzie
portuguese: de a o que e do da em um para é com uma os no se na por mais as dos como mas foi ao ele
  das tem à seu sua ou ser quando muito nos já está eu também só pelo pela qual quais onde não são
romanian: de și în a la cu pe o care un din este că nu se pentru mai sunt ce au fost al ale prin
  dintre sau ca după fi lui cum cât când unde ei
serbian: i je u na se da za su od sa a o kao koji ne koja bi što ili iz do koje kako nije sam ali
sesotho: le ka ho ya ha ke e ba tsa hore mme o bo wa se di kapa hae
slovak: a sa v na je že s z do o aj to ako za by pre od po ktoré ktorý ktorá nie sú vo ale alebo
  bol čo pri
slovenian: in je v na za se so da z ki po s pa kot tudi ali bil kako kaj ne pri od lahko bi kdaj
spanish: de la que el en y a los del se las por un para con no una su al es lo como más pero sus le
  o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo qué
  cómo cuándo cuál fue son
swahili: na ya wa kwa ni katika za la cha kuwa hiyo hii au kama lakini yake nini jinsi
swedish: och i att en det som på är av för med till den har de inte om ett han var men sig från vi
  kan vid eller hur vad när också efter
tagalog: ang ng sa na mga ay at si ko ito hindi para ni kung siya may paano ano
turkish: ve bir bu için ile da de olarak çok daha gibi olan en kadar ne sonra ama ise değil her o
  var nasıl hangi mi mı veya olduğu neden ya kim zaman tarafından
vietnamese: và của là có cho không được trong các với một những đã này từ người để khi ở như về thì
  đến bị gì nào
welsh: y yr a yn i o ar ei am mae oedd gan wedi ac bod sydd beth sut
"""
_CYRILLIC = """
russian: и в не на что с как по это из у за к от для был так но его о же или при во были был была
  было который которые также она он они мы вы я когда где какой сколько чем до со
belarusian: і ў на не што з як да па гэта яго для быў але або пра таксама якія калі дзе
bulgarian: и на в е за да се от с не че са по като до във което който но или той си как кога къде
kazakh: және бұл мен бір үшін деп бар болып де да емес осы оның қалай қашан
macedonian: и на во се од да е за со не по што ги кој како но или биле сум каде кога
serbian-cyrillic: и је у на се да за су од са о као који не која би што или из до које како није
  али
ukrainian: і в не на що з як за до у та це від по його для є або при також який які був була але
  коли де чи про й
"""
_ARABIC = """
arabic: في من على إلى أن عن مع هذا هذه التي الذي ما هو هي كان كانت لا قد أو ذلك بعد كل بين لم تم ثم
  كما متى كيف أين هل حيث عند منذ
persian: و در به از که این را با است برای آن یک خود تا می بر بود شد هم یا چه شده ها کرد دارد نیز
  چگونه کجا کی هر
urdu: کے کی میں ہے اور سے کا کو نے پر کہ یہ ہیں تھا بھی وہ ایک اس نہیں لئے جو تھی کیا گیا کیسے
"""
_DEVANAGARI = """
hindi: के का की में है और से को ने पर कि यह हैं था भी एक इस नहीं लिए जो थी या तो ही हो वह कर किया
  गया थे क्या कब कहाँ कौन कैसे होता होती
marathi: आणि आहे या च ते हे की मध्ये होते ही व नाही तर एक केले झाले त्यांच्या काय कसे
nepali: र छ को मा हो पनि यो भएको गर्न थियो तथा छन् लाई बाट भने एक गरेको यस कसरी
"""
_HEBREW = """
hebrew: של את על לא זה הוא עם כי היא גם או אם היה כל מה אל בין יותר אבל איך מתי איפה
yiddish: די און איז אין פון דער צו אַז מיט דאָס האָט ער נישט אַ
"""
_OTHERS = """
armenian: և է որ են ու մեջ այդ այս մի իր համար հետ նա էր կամ ինչ ինչպես
greek: και το να του η της με που την από για είναι τα ο στο θα τον δεν οι των στη σε τους ότι στην
  τη ή ένα μια αλλά τι πώς πότε πού ποιο ποια ως τις
tamil: மற்றும் ஒரு இந்த என்று அந்த இது என உள்ள ஆகும் என்ன எப்படி
"""


def _lists(text: str) -> dict[str, frozenset[str]]:
    """The words of each language."""
    lines = text.replace("\n  ", " ").strip().splitlines()
    return {
        name: frozenset(words.split()) for name, _, words in (line.partition(":") for line in lines)
    }


_APART = {name: {name: words} for name, words in _lists(_OTHERS).items()}
STOP_WORDS: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "LATIN": _lists(_LATIN),
        "CYRILLIC": _lists(_CYRILLIC),
        "ARABIC": _lists(_ARABIC),
        "DEVANAGARI": _lists(_DEVANAGARI),
        "HEBREW": _lists(_HEBREW),
        **{name.upper(): lists for name, lists in _APART.items()},
    }
)
"""The words by the Unicode name of the script, then by language.

The first language of a script is its default. The English words are those of Snowball's list.
"""
