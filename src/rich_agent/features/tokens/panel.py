"""The panel of the tokens by which programs ask in a user's name."""

from collections.abc import Mapping
from dataclasses import dataclass

from rich_agent.feature import Arguments, Asker, Outcome, Tool, ToolRefusedError, say
from rich_agent.feature.panels import (
    Panel,
    PanelButton,
    PanelContent,
    PanelField,
    PanelForm,
    PanelGroup,
    PanelRefusedError,
    PanelRequest,
    PanelRow,
    PanelSecret,
)
from rich_agent.feature.text import shorten
from rich_agent.feature.tools import RowId
from rich_agent.features.tokens.chat_command import token_facts
from rich_agent.features.tokens.ports import ApiTokens
from rich_agent.features.tokens.records import LONGEST_NAME, MOST_TOKENS, NewApiToken


class OneToken(Arguments):
    """A token of the user."""

    token_id: RowId


@dataclass(frozen=True, slots=True)
class TokensPanel:
    """Lists, makes and revokes tokens; `address` is that of the bot, None if there is none."""

    tokens: ApiTokens
    address: str | None

    def panel(self) -> Panel:
        """The panel."""
        return Panel(
            name="tokens",
            heading="tokens-open",
            compose=self.compose,
            tools=[Tool("revoke_token", "", OneToken, self.revoke, "delete")],
            secrets={"make_token": self.make},
            page="devices",
            order=80,
        )

    async def compose(self, request: PanelRequest) -> PanelContent:
        """The valid tokens, and the form that makes one."""
        locale, clocks = request.locale, request.clocks
        tokens = await self.tokens.all_of(request.user_id)
        rows = [
            PanelRow(
                key=f"token-{token.id}",
                text=token.name,
                details=token_facts(token, clocks),
                buttons=[
                    PanelButton(
                        say(locale, "tokens-revoke"),
                        "revoke_token",
                        {"token_id": token.id},
                        is_final=True,
                    )
                ],
            )
            for token in tokens
            if token.is_open(clocks.now)
        ]
        label = say(locale, "tokens-name-label")
        name = PanelField("name", is_required=True, most=LONGEST_NAME, label=label)
        form = PanelForm(say(locale, "tokens-make"), "make_token", [name])
        return PanelContent(
            groups=[PanelGroup(rows)] if rows else (),
            sentences=[say(locale, "tokens-none" if self.address else "tokens-unreachable")]
            if not rows
            else (),
            forms=[form] if self.address else (),
        )

    async def make(self, request: PanelRequest, fields: Mapping[str, str]) -> PanelSecret:
        """Make a token. Raises: PanelRefusedError."""
        locale = request.locale
        if self.address is None:
            raise PanelRefusedError(say(locale, "tokens-unreachable"))
        name = shorten(" ".join(fields.get("name", "").split()), LONGEST_NAME)
        new = NewApiToken(request.user_id, name or say(locale, "tokens-name"))
        token = await self.tokens.make(new)
        if token is None:
            raise PanelRefusedError(say(locale, "tokens-too-many", most=MOST_TOKENS))
        return PanelSecret(say(locale, "tokens-made", address=self.address), token)

    async def revoke(self, arguments: OneToken, asker: Asker) -> Outcome:
        """Revoke a token. Raises: ToolRefusedError."""
        if not await self.tokens.revoke(arguments.token_id, asker.user_id):
            raise ToolRefusedError(f"There is no token {arguments.token_id}.")
        return Outcome({}, done=say(asker.locale, "tokens-revoked"))
