"""The common part of the configurations of services."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict


class ServiceConfig(BaseModel):
    """The configuration of a connection, without its secret. Its fields are options of the kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def has_rights(self) -> bool:
        """Whether the source takes over the service's rights, if the service has any."""
        return True


def _service_address(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("this is not an address that begins with https://")
    if parts.username or parts.password:
        raise ValueError("this contains a login; the secret is asked for")
    return address.rstrip("/")


WebAddress = Annotated[str, AfterValidator(_service_address)]
"""An http(s) address without a login and without a slash at its end."""
OptionalAddress = WebAddress | Literal[""]
