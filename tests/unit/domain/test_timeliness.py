"""Whether a question is about now: to miss one is better than to mistake one."""

import pytest

from rich_agent.domain.timeliness import asks_about_now, is_time_bound

ABOUT_NOW = """
What is the latest release of PostgreSQL?
What's the SOL price today?
SOL price?
What is the price of bitcoin?
What is the current funding rate on Drift?
Who is the prime minister of Japan?
who won the match last night?
Any news about Solana?
Is Solana down?
What is Jupiter worth right now?
is it raining in Oslo now?
What's the weather in Paris?
How much is 1 SOL in USD?
what happened this week in DeFi?
recent developments in fusion power
give me the live scores
write a summary of the latest news
現在のソラナの価格は？
今日の天気は
最新のバージョンを教えて
SOLの価格は？
ビットコインの値段を教えて
今の首相は誰ですか
最近のニュースは？
今週のイベント
今、ドルはいくら
"""
TIMELESS = """
What is a current account?
How does alternating current work?
What is a live validator?
Where does Ann live?
What is a recent blockhash?
How do I fetch the latest blockhash?
Now that I know staking, what is slashing?
How has it worked until now?
What is the mark price?
mark price?
What determines the price of a token?
How is the liquidation price computed?
What is a newsletter?
What is weather?
Write a haiku about today
Translate "what is the latest news?" into French
Draft an email to Bob: I am ill today
What is the capital of Norway?
What does 'now' mean in SQL?
How much is the fee?
これは今の説明と違いますか
清算価格はどう計算されますか
現在価値とは何ですか
手数料はいくらですか
今すぐやめて
今日は晴れという俳句を作って
「今日のニュース」を英語に訳して
古今和歌集とは
最新鋭の技術とは
"""


def _lines(text: str) -> list[str]:
    return text.strip().splitlines()


@pytest.mark.req("ROUTE-4", "ROUTE-5")
@pytest.mark.parametrize("text", _lines(ABOUT_NOW))
def test_is_time_bound_knows_what_changes(text: str) -> None:
    """Prices, news, weather, offices, and the words for now, in both languages."""
    assert is_time_bound(text)


@pytest.mark.parametrize("text", _lines(TIMELESS))
def test_is_time_bound_passes_over_words_that_only_look_so(text: str) -> None:
    """Terms, quotes, and tasks that hold all they need."""
    assert not is_time_bound(text)


@pytest.mark.parametrize(
    ("text", "on_the_world"),
    [
        ("What is the latest release of Python?", True),
        ("Can you tell me the latest news?", True),
        ("What do I have to do today?", False),
        ("I moved to Rome yesterday", False),
        ("How are you today?", False),
        ("私の今日の予定は", False),
    ],
)
def test_asks_about_now_leaves_the_user_alone(text: str, on_the_world: bool) -> None:  # noqa: FBT001 - a table
    """The web knows nothing of who asks."""
    assert asks_about_now(text) is on_the_world
