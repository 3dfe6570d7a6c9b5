"""The section of the settings: the provider, the bot as its client, and what groups mean."""

from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from typing_extensions import override

from rich_agent.feature import Group, Secret, SettingsError, setting
from rich_agent.feature.settings import OptionalUrl


class OidcSettings(Group):
    """The provider of OpenID Connect with which people sign in, if there is one."""

    issuer: OptionalUrl = setting(
        "Issuer of the provider of OpenID Connect with which people sign in on the bot's pages, "
        "such as `https://login.example.org/realms/staff`; unset: none. Needs the extra `oidc` and "
        "PUBLIC_URL."
    )
    client_id: str = setting("The bot's name as a client of that provider.", "")
    client_secret: Secret = setting(
        "The bot's secret as a client of the provider; unset for a public client, which PKCE alone "
        "protects."
    )
    name: str = setting("What the button to sign in calls the provider; unset: its host.", "")
    scopes: str = setting(
        "What the bot asks the provider for, separated by spaces. Many providers need "
        "`offline_access`, and some `groups`, to tell of groups later than at the sign-in.",
        "openid profile email",
    )
    groups_claim: str = setting(
        "Claim that holds a person's groups, such as `groups` or `realm_access.roles`. They are "
        "the principals `external:oidc:GROUP` of spaces. Unset: groups are not read. Needs "
        "CREDENTIALS_KEY.",
        "",
    )
    required_group: str = setting(
        "Group that a person has to be in to sign in; unset: whom the provider lets in.", ""
    )
    session_hours: float = setting(
        "Hours after which a person who signed in with the provider has to sign in again.",
        12.0,
        gt=0,
        le=2_160,
    )

    @property
    def shown_name(self) -> str:
        """The provider's name, as people read it."""
        return self.name or urlsplit(self.issuer or "").hostname or ""

    @override
    def find_problems(self) -> Iterator[SettingsError]:
        if self.issuer is None:
            if self.client_id:
                yield SettingsError(
                    "OIDC_CLIENT_ID",
                    "it is set, and OIDC_ISSUER is not",
                    hint="Set OIDC_ISSUER to the address of the provider, or neither.",
                )
            return
        if not self.client_id:
            yield SettingsError(
                "OIDC_CLIENT_ID",
                "it is missing, and OIDC_ISSUER is set",
                hint="Register the bot at the provider, and set OIDC_CLIENT_ID to its name there.",
            )
        if not _is_protected(self.issuer):
            yield SettingsError(
                "OIDC_ISSUER",
                f"{self.issuer} is reached without TLS",
                hint="Write https://; http:// is for hosts on private networks.",
            )
        if "openid" not in self.scopes.split():
            yield SettingsError(
                "OIDC_SCOPES", "openid is missing", hint="Add openid to OIDC_SCOPES."
            )
        if self.required_group and not self.groups_claim:
            yield SettingsError(
                "OIDC_REQUIRED_GROUP",
                "it is set, and OIDC_GROUPS_CLAIM is not",
                hint="Set OIDC_GROUPS_CLAIM to the claim with the groups, such as groups.",
            )


def _is_protected(issuer: str) -> bool:
    """Whether TLS protects the requests, or they stay on a private network."""
    parts = urlsplit(issuer)
    host = parts.hostname or ""
    try:
        is_private = ip_address(host).is_private
    except ValueError:
        is_private = "." not in host or host.endswith((".localhost", ".internal", ".local"))
    return parts.scheme == "https" or is_private
