"""The example pages that the Tavily stand-in finds; each says that it is not a real page."""

from dataclasses import dataclass

_DISCLAIMER = "This is an example result of the sandbox, not a page of the web."


@dataclass(frozen=True, slots=True)
class Page:
    """A page on example.com; `topics` are further words by which it is found.

    A `general` page is found by every question about now.
    """

    url: str
    title: str
    text: str
    topics: str
    general: bool = False
    published: str = "Wed, 01 Jan 2025 09:00:00 GMT"

    @property
    def content(self) -> str:
        """The text with the disclaimer in front."""
        return f"{_DISCLAIMER} {self.text}"


def _page(path: str, title: str, text: str, topics: str, *, general: bool = False) -> Page:
    url = f"https://example.com/sandbox/{path}"
    return Page(url, f"{title} (sandbox example)", text, topics, general)


PAGES = (
    _page(
        "news/today",
        "Today's news and current events",
        "A real search would list what happened today. The sandbox does not reach the web, "
        "so it knows no current events, prices, releases or weather.",
        "latest recent yesterday week 今日 最新 ニュース",
        general=True,
    ),
    _page(
        "reference/latest",
        "Finding the latest release, price or version",
        "The latest release of a program stands on its release page, and the current price of a "
        "token or share on the page of an exchange; both change too often for an example.",
        "today newest version 今日 最新 現在 価格 リリース",
        general=True,
    ),
    _page(
        "databases/postgresql-releases",
        "PostgreSQL release policy",
        "PostgreSQL publishes a major release about once a year, usually in autumn, and supports "
        "each for five years. Minor releases follow at least every quarter.",
        "postgres database version latest",
    ),
    _page(
        "databases/pgvector",
        "Vector search with pgvector",
        "pgvector adds vector types and nearest neighbour indexes such as HNSW to PostgreSQL.",
        "postgres embedding similarity index",
    ),
    _page(
        "crypto/sol-price",
        "SOL price pages",
        "The price of SOL, the token of Solana, is quoted by exchanges around the clock. "
        "An example page cannot know the price of today.",
        "solana crypto token market usd",
    ),
    _page(
        "crypto/solana-network",
        "Solana network status and fees",
        "Solana is a proof-of-stake blockchain. Fees are paid in SOL; a priority fee can be added "
        "when the network is busy.",
        "transaction validator staking lamports",
    ),
    _page(
        "crypto/drift-perpetuals",
        "Perpetual futures on Drift",
        "Drift is an exchange on Solana for perpetual futures. A position pays or receives funding "
        "and is liquidated when its margin falls below the maintenance margin.",
        "perp leverage trading defi derivatives",
    ),
    _page(
        "python/releases",
        "Python release cycle",
        "Python publishes a feature release every October; each gets two years of bug fixes and "
        "three more of security fixes.",
        "latest version download cpython",
    ),
    _page(
        "telegram/bot-api-changelog",
        "Telegram Bot API changelog",
        "The Bot API's changelog lists new methods and fields of each version with its date.",
        "bot telegram latest version update",
    ),
    _page(
        "weather/forecast",
        "Weather forecasts",
        "A weather forecast depends on place and day; national weather services publish it.",
        "rain sun temperature today tomorrow 天気 मौसम",
    ),
    _page(
        "ai/language-models",
        "Language models and citations",
        "A language model that is given numbered passages can cite them, so that a reader can "
        "check where each statement comes from.",
        "llm openai retrieval rag grounding",
    ),
    _page(
        "ja/postgresql",
        "PostgreSQL のリリース方針",
        "PostgreSQL のメジャーリリースは年に一度、通常は秋に公開され、五年間サポートされます。",
        "最新 リリース データベース",
    ),
)
