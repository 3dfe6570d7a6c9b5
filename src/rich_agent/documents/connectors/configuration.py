"""The common part of what an operator says of a service."""

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict


class ServiceConfig(BaseModel):
    """The configuration of a connection, without its secret; its fields are options of a kind."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @property
    def has_rights(self) -> bool:
        """Whether a service that knows rights is asked who may read each document."""
        return True


def _service_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("this is not an address that begins with https://")
    if parts.username or parts.password:
        raise ValueError("this contains a login; the secret is asked for")
    return value.rstrip("/")


WebAddress = Annotated[str, AfterValidator(_service_address)]
"""An http(s) address without a login and without a slash at its end."""
OptionalAddress = WebAddress | Literal[""]
