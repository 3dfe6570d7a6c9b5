"""Sign-ins with a provider that sends wrong answers: refused, with words; and right ones."""

from collections.abc import AsyncIterator, Callable
from time import time
from typing import Any
from urllib.parse import quote

import pytest
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from rich_agent.domain.people import has_telegram
from rich_agent.features.oidc.sign_in import own_path
from rich_agent.repositories.accounts import PostgresAccounts
from rich_agent.repositories.database.pools import Databases
from rich_agent.web.own_pages import OwnPages
from tests.integration.features.oidc.entrance import HOME, Entrance, open_entrance
from tests.stand_ins.oidc.provider import HostileProvider, hostile_provider, unsigned

_KEY = RSAKey.generate_key(2048, {"kid": "one"})
Bend = Callable[[HostileProvider], None]


@pytest.fixture
async def hostile() -> AsyncIterator[HostileProvider]:
    """A provider that is not bent yet."""
    async with hostile_provider() as provider:
        provider.key = _KEY
        yield provider


@pytest.fixture
async def entrance(hostile: HostileProvider, databases: Databases) -> AsyncIterator[Entrance]:
    """The sign-in, of which the access list alone says who may use the bot."""
    async with open_entrance(hostile, databases) as opened:
        yield opened


def bending(**claims: Any) -> Bend:
    """Have tokens have these claims."""
    return lambda provider: provider.bent.update(claims)


def signing(sign: Callable[[HostileProvider], Callable[[Any], str]]) -> Bend:
    """Have tokens signed in another way."""

    def bend(provider: HostileProvider) -> None:
        provider.sign = sign(provider)

    return bend


def _sign_by_another_key(provider: HostileProvider) -> None:
    provider.published = [RSAKey.generate_key(2048, {"kid": "one"})]


async def test_person_signs_in_and_is_the_same_user_again(entrance: Entrance) -> None:
    """A user who is nobody of Telegram, with the name that the provider tells; pages lead on."""
    async with entrance.browser() as browser, entrance.browser() as other:
        answer = await entrance.sign_in(browser, "/operator?day=1")
        assert answer.status_code == 200, answer.text
        assert answer.headers["refresh"] == f"0; url={HOME}/operator?day=1"
        assert "You are signed in" in answer.text
        user_id = await entrance.user_of(browser)
        assert user_id is not None
        assert not has_telegram(user_id)
        await entrance.sign_in(other)
        assert await entrance.user_of(other) == user_id
    accounts = PostgresAccounts(entrance.databases.app)
    assert await accounts.names([user_id]) == {user_id: "Anna Berg"}
    (session, _) = await entrance.people.sessions.all_of(user_id)
    assert session.provider == entrance.hostile.url


@pytest.mark.parametrize(
    ("bend", "reason"),
    [
        (bending(iss="https://elsewhere.example"), "The answer is not from Example."),
        (bending(aud="another client"), "meant for another application"),
        (bending(aud=["another client"]), "meant for another application"),
        (bending(azp="another client"), "meant for another application"),
        (bending(nonce="another"), "belongs to another sign-in"),
        (bending(nonce=None), "belongs to another sign-in"),
        (bending(exp=int(time()) - 120), "has expired, or the clocks differ"),
        (bending(iat=int(time()) + 86_400), "has expired, or the clocks differ"),
        (bending(exp="never"), "has expired, or the clocks differ"),
        (bending(sub=None), "cannot be read"),
        (signing(lambda _: unsigned), "not signed with one of its keys"),
        (signing(lambda one: one.signed_with_public_key), "not signed with one of its keys"),
        (_sign_by_another_key, "not signed with one of its keys"),
        (signing(lambda _: lambda _: "no.token"), "cannot be read"),
        (lambda one: one.answer.update(iss="https://elsewhere.example"), "not from Example"),
        (lambda one: one.answer.update(iss=None), "not from Example"),
        (lambda one: one.answer.update(error="access_denied", code=None), "did not sign you in"),
        (lambda one: one.answer.update(state="x"), "did not begin the sign-in"),
    ],
    ids=[
        *("issuer", "audience", "audiences", "party", "nonce", "no-nonce", "expired", "future"),
        *(
            "never",
            "nobody",
            "none",
            "hash",
            "key",
            "noise",
            "mix-up",
            "unnamed",
            "denied",
            "state",
        ),
    ],
)
async def test_wrong_answer_signs_nobody_in_and_the_words_say_why(
    entrance: Entrance, bend: Bend, reason: str
) -> None:
    """Nobody is signed in, no user is made, and the page says what to do."""
    bend(entrance.hostile)
    async with entrance.browser() as browser:
        answer = await entrance.sign_in(browser)
        assert answer.status_code in {400, 403}
        assert reason in answer.text
        assert "Sign in again" in answer.text
        assert await entrance.user_of(browser) is None
    assert await entrance.people.identities.of_subject(entrance.hostile.url, "anna") is None


async def test_answer_counts_once_and_in_its_own_browser(entrance: Entrance) -> None:
    """The address that ends a sign-in ends none again, and none in another browser."""
    async with entrance.browser() as browser, entrance.browser() as other:
        back = await entrance.visit(await entrance.begin(browser))
        stolen = await other.get(back)
        assert (stolen.status_code, await entrance.user_of(other)) == (400, None)
        jar = dict(browser.cookies)
        assert (await browser.get(back)).status_code == 200
        assert await entrance.user_of(browser) is not None
        browser.cookies.update(jar)
        again = await browser.get(back)
        assert (again.status_code, "did not begin" in again.text) == (400, True)


async def test_code_of_another_sign_in_is_refused(entrance: Entrance) -> None:
    """A code that was used, or that somebody else was given, proves nothing: PKCE."""
    async with entrance.browser() as browser, entrance.browser() as thief:
        first = await entrance.visit(await entrance.begin(browser))
        code = first.partition("code=")[2].partition("&")[0]
        second = await entrance.visit(await entrance.begin(thief))
        answer = await thief.get(second.replace("code=code-1", f"code={code}"))
        assert (answer.status_code, await entrance.user_of(thief)) == (400, None)
        assert "does not accept this sign-in any more" in answer.text


async def test_session_is_new_with_each_sign_in(entrance: Entrance) -> None:
    """A cookie that somebody planted before is not the one that counts after."""
    planted = "ras_" + "0" * 43
    async with entrance.browser() as browser:
        browser.cookies.set("__Host-rich_agent", planted, domain="bot.example")
        await entrance.sign_in(browser)
        secrets = {one.value for one in browser.cookies.jar if one.name == "__Host-rich_agent"}
    assert len(secrets - {planted}) == 1


@pytest.mark.parametrize(
    "path",
    [
        *("https://evil.example", "//evil.example/x", "/\\evil.example", "javascript:alert(1)"),
        *("/a\nb", "/a b", "", "chat", "/" + "a" * 2_000, "/\t/evil.example"),
    ],
)
def test_sign_in_leads_to_no_other_site(path: str) -> None:
    """Whatever the link says, the address begins with that of the bot."""
    assert own_path(path, OwnPages(HOME)) == "/chat"


def test_sign_in_leads_back_to_own_pages() -> None:
    """With or without the path of the public address, which is there once in the end."""
    for path in ("/operator?a=%2F&b=1", "/front/operator?a=%2F&b=1"):
        assert own_path(path, OwnPages(HOME)) == "/operator?a=%2F&b=1"


async def test_key_that_the_provider_changed_is_read_once(entrance: Entrance) -> None:
    """A token that names an unknown key has the keys read again; a flood of them has not."""
    hostile = entrance.hostile
    async with entrance.browser() as browser:
        await entrance.sign_in(browser)
        hostile.key = RSAKey.generate_key(2048, {"kid": "two"})
        entrance.time_s += 15
        assert (await entrance.sign_in(browser)).status_code == 200
        assert hostile.calls.count("jwks") == 2
        hostile.published = [hostile.key]
        hostile.key = RSAKey.generate_key(2048, {"kid": "three"})
        for _ in range(3):
            answer = await entrance.sign_in(browser)
            assert "not signed with one of its keys" in answer.text
    assert hostile.calls.count("jwks") == 2


async def test_provider_that_is_away_is_told_and_nothing_is_lost(entrance: Entrance) -> None:
    """Before the sign-in and at its end; it is asked once in a while, and the next try works."""
    entrance.hostile.is_away = True
    async with entrance.browser() as browser:
        answer = await browser.get(HOME + "/oidc/sign-in")
        assert (answer.status_code, "cannot be reached" in answer.text) == (502, True)
        for _ in range(5):
            assert (await browser.get(HOME + "/oidc/sign-in")).status_code == 502
        assert entrance.hostile.calls.count("discovery") == 1
        entrance.hostile.is_away = False
        entrance.time_s += 15
        back = await entrance.visit(await entrance.begin(browser))
        entrance.hostile.is_away = True
        assert (await browser.get(back)).status_code == 502
        entrance.time_s += 4_000
        assert (await browser.get(HOME + "/oidc/sign-in")).status_code == 303
        entrance.hostile.is_away = False
        entrance.time_s += 15
        assert (await entrance.sign_in(browser)).status_code == 200


async def test_provider_that_calls_itself_otherwise_is_refused(entrance: Entrance) -> None:
    """A description that names another issuer is none of this one."""
    entrance.hostile.described["issuer"] = "https://elsewhere.example"
    async with entrance.browser() as browser:
        answer = await browser.get(HOME + "/oidc/sign-in")
    assert "The answer is not from Example." in answer.text


async def test_blocked_person_stays_out_also_after_forgetting(entrance: Entrance) -> None:
    """An admin's word counts more than the provider's, and the id of the person stays."""
    accounts = PostgresAccounts(entrance.databases.app)
    async with entrance.browser() as browser:
        await entrance.sign_in(browser)
        user_id = await entrance.user_of(browser)
        assert user_id is not None
        await accounts.set_access(user_id, is_allowed=False, by=9)
        assert await entrance.user_of(browser) is None
        async with entrance.databases.app.connection() as connection:
            await connection.execute("DELETE FROM oidc_identities")
        answer = await entrance.sign_in(browser)
        assert (answer.status_code, "You may not use this bot." in answer.text) == (403, True)
        await accounts.set_access(user_id, is_allowed=True, by=9)
        await entrance.sign_in(browser)
        assert await entrance.user_of(browser) == user_id


async def test_client_proves_who_it_is_as_the_provider_wants(entrance: Entrance) -> None:
    """With names that have to be encoded, and in the body if the provider takes no header."""
    hostile = entrance.hostile
    async with entrance.browser() as browser:
        await entrance.sign_in(browser)
    assert any(call.startswith("Basic ") for call in hostile.calls)
    hostile.calls.clear()
    hostile.described["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    entrance.time_s += 4_000
    async with entrance.browser() as browser:
        assert (await entrance.sign_in(browser)).status_code == 200
    assert hostile.calls.count("token") == 1
    assert not any(call.startswith("Basic ") for call in hostile.calls)


@pytest.mark.parametrize("quoting", [quote, str])
async def test_provider_may_decode_the_names_of_its_client_or_not(
    hostile: HostileProvider, databases: Databases, quoting: Callable[[str], str]
) -> None:
    """Glewlwyd compares them as they come; it is asked twice for the first sign-in only."""
    name, secret = "rich agent", "a+secret of:the client"
    hostile.client = f"{quoting(name)}:{quoting(secret)}"
    values: dict[str, Any] = {"client_id": name, "client_secret": SecretStr(secret)}
    async with open_entrance(hostile, databases, **values) as entrance:
        for _ in range(2):
            async with entrance.browser() as browser:
                assert (await entrance.sign_in(browser)).status_code == 200
        assert hostile.calls.count("token") == (2 if quoting is quote else 3)
        hostile.client = "another:client"
        async with entrance.browser() as browser:
            assert (await entrance.sign_in(browser)).status_code == 502


@pytest.mark.parametrize("error", ["invalid_grant", "invalid_code"])
async def test_code_that_is_not_accepted_is_refused(entrance: Entrance, error: str) -> None:
    """Whatever the provider calls it, and with whatever status."""
    entrance.hostile.code_error = error
    async with entrance.browser() as browser:
        answer = await entrance.sign_in(browser)
    assert answer.status_code == 400
    assert "does not accept this sign-in" in answer.text


async def test_group_that_is_required_lets_in_and_keeps_out(
    hostile: HostileProvider, databases: Databases
) -> None:
    """A person without it is told so; one who leaves it is signed out, and comes back with it."""
    async with (
        open_entrance(
            hostile, databases, groups_claim="groups", required_group="staff"
        ) as entrance,
        entrance.browser() as browser,
    ):
        answer = await entrance.sign_in(browser)
        assert (answer.status_code, "in the group" in answer.text) == (403, True)
        hostile.groups = ["staff"]
        await entrance.sign_in(browser)
        user_id = await entrance.user_of(browser)
        assert user_id is not None
        hostile.groups = ["guests"]
        await _age(entrance, 30)
        await entrance.user_of(browser)
        assert await entrance.user_of(browser) is None
        account = await PostgresAccounts(databases.app).find(user_id)
        assert account.is_allowed is False
        hostile.groups = ["staff"]
        await entrance.sign_in(browser)
        assert await entrance.user_of(browser) == user_id


async def _age(entrance: Entrance, seconds: int) -> None:
    """Let the provider's word be so many seconds old."""
    entrance.time_s += seconds
    async with entrance.databases.app.connection() as connection:
        await connection.execute(
            "UPDATE oidc_identities SET checked_at = checked_at - make_interval(secs => %s)",
            (seconds,),
        )
    async with entrance.databases.rag.connection() as connection:
        await connection.execute(
            "UPDATE rag_memberships SET checked_at = checked_at - make_interval(secs => %s), "
            "holds_until = holds_until - make_interval(secs => %s)",
            (seconds, seconds),
        )
