"""Objects in a bucket of Amazon S3, or of a server with the same protocol, such as MinIO.

A bucket does not tell who may read an object, so the readers of the source's space may read its
documents.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar
from urllib.parse import quote, unquote

from pydantic import Field

from rich_agent.feature.connectors import (
    Changes,
    ConnectorError,
    Entry,
    FetchError,
    OptionalAddress,
    Outcome,
    PlaceReaders,
    RawDocument,
    Selection,
    ServiceConfig,
    ServiceGroup,
    Skipped,
    Unreadable,
    gunzip,
    media_type_of_path,
    too_large,
    wait_from,
    why_not,
)

if TYPE_CHECKING:
    from botocore.exceptions import ClientError

_Result = TypeVar("_Result")
_PORTION: Final = 1_000  # the most that S3 lists at once
_CONNECT_TIMEOUT_S, _READ_TIMEOUT_S = 10.0, 60.0
_ATTEMPTS: Final = 3
_PASSING: Final = frozenset({408, 429})
# https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
_GONE: Final = frozenset({"NoSuchKey", "404"})
_ARCHIVED, _DENIED = "InvalidObjectState", "AccessDenied"
_KEY_HINT: Final = "Make a new access key, and connect the source again with it."
_HINTS: Final = {
    "ExpiredToken": _KEY_HINT,
    "InvalidAccessKeyId": _KEY_HINT,
    "SignatureDoesNotMatch": _KEY_HINT,
    _DENIED: "Allow the key s3:ListBucket on the bucket and s3:GetObject on its objects.",
    "NoSuchBucket": "Check the name of the bucket, its region, and endpoint_url.",
    "RequestTimeTooSkewed": "Set the clock of this machine.",
}
_WRONG: Final = "Check bucket, region and endpoint_url."


class S3Config(ServiceConfig):
    """The bucket, and the part of it that is read."""

    bucket: str = Field(description="Name of the bucket.")
    access_key_id: str = Field(description="Id of the access key; its secret is asked for.")
    prefix: str = Field(default="", description="Only keys that begin so, such as handbook/.")
    region: str = Field(default="us-east-1", description="Region of the bucket.")
    endpoint_url: OptionalAddress = Field(
        default="", description="Address of a server that is not Amazon's."
    )
    web: OptionalAddress = Field(
        default="", description="Where the objects are published, for links."
    )
    include: tuple[str, ...] = Field(default=(), description="Only keys that match.")
    exclude: tuple[str, ...] = Field(default=(), description="Not keys that match.")


class _Client(Protocol):
    """The methods of boto3's client that are used."""

    def list_objects_v2(self, **parameters: object) -> Mapping[str, Any]: ...

    def get_object(self, **parameters: object) -> Mapping[str, Any]: ...

    def close(self) -> None: ...


def open_s3(config: S3Config, secret: str, *, source: str) -> "S3Connector":  # noqa: ARG001 - a bucket names nobody
    """Open a bucket; `secret` is the secret of the access key."""
    return S3Connector(config, secret)


class S3Connector:
    """Implements `Connector`. Its requests run in threads."""

    def __init__(self, config: S3Config, secret: str) -> None:
        self._config = config
        self._secret = secret
        self._selection = Selection(config.include, config.exclude)
        self._client: _Client | None = None
        self._opening = asyncio.Lock()

    async def list(self, cursor: str, /) -> AsyncIterator[Changes]:
        """See `Connector.list`. All objects are listed. A cursor is the last key of a portion."""
        has_more = True
        while has_more:
            page = await self._run(partial(self._page, max_keys=_PORTION, after=unquote(cursor)))
            objects = page.get("Contents", ())
            has_more = bool(page.get("IsTruncated")) and bool(objects)
            cursor = quote(objects[-1]["Key"]) if has_more else ""
            yield self._changes(objects, cursor)

    async def read(self, entry: Entry, most_bytes: int, /) -> Outcome:
        """See `Connector.read`."""
        return await self._run(lambda client: self._read(client, entry, most_bytes))

    async def rights(self) -> AsyncIterator[PlaceReaders | ServiceGroup]:
        """See `Connector.rights`. There are no rights."""
        no_rights: tuple[PlaceReaders | ServiceGroup, ...] = ()
        for readers in no_rights:
            yield readers

    async def check(self) -> str:
        """See `Connector.check`."""
        await self._run(partial(self._page, max_keys=1, after=""))
        return f"reads s3://{self._config.bucket}/{self._config.prefix}"

    async def aclose(self) -> None:
        """See `Connector.aclose`."""
        if self._client:
            await asyncio.to_thread(self._client.close)

    def _page(self, client: _Client, *, max_keys: int, after: str) -> Mapping[str, Any]:
        start_parameter = {"StartAfter": after} if after else {}
        return client.list_objects_v2(
            Bucket=self._config.bucket,
            Prefix=self._config.prefix,
            MaxKeys=max_keys,
            **start_parameter,
        )

    def _changes(self, objects: Sequence[Mapping[str, Any]], cursor: str) -> Changes:
        entries, skips = [], Skipped()
        base_url = self._config.web or f"s3://{self._config.bucket}"
        for object_json in objects:
            key = object_json["Key"]
            path = key.removeprefix(self._config.prefix)
            reason = "with a name that cannot be stored" if "\0" in key else ""
            reason = reason or why_not(path, self._selection)
            if not reason:
                entries.append(Entry(key, f"{base_url}/{quote(key)}", object_json["ETag"]))
            elif not key.endswith("/"):  # a key of a folder ends so
                skips.add(reason, path)
        return Changes(tuple(entries), cursor, skipped=skips)

    def _read(self, client: _Client, entry: Entry, most_bytes: int) -> Outcome:
        from botocore.exceptions import ClientError  # noqa: PLC0415 - loaded where it is used

        try:
            response = client.get_object(Bucket=self._config.bucket, Key=entry.key)
        except ClientError as error:
            error_code = error.response.get("Error", {}).get("Code", "")
            if error_code in _GONE:
                return Unreadable(entry.url, "there is no such object", is_gone=True)
            if error_code == _ARCHIVED:
                return Unreadable(entry.url, "it is archived, and has to be restored first")
            if error_code == _DENIED:
                return Unreadable(entry.url, "the access key may not read it (s3:GetObject)")
            raise
        size_bytes, body = response["ContentLength"], response["Body"]
        try:
            if size_bytes > most_bytes:
                return too_large(entry.url, size_bytes, most_bytes)
            content = body.read()
            if response.get("ContentEncoding") == "gzip":
                content = gunzip(content, most_bytes)
        except FetchError as error:
            return Unreadable(entry.url, str(error))
        finally:
            body.close()
        return RawDocument(entry.url, content, media_type_of_path(entry.key) or "text/plain")

    async def _run(self, work: Callable[[_Client], _Result]) -> _Result:
        """Run requests in a thread; return their result. Raises: ConnectorError."""
        async with self._opening:
            if self._client is None:
                self._client = await asyncio.to_thread(self._open)
        return await asyncio.to_thread(partial(self._call, work, self._client))

    def _open(self) -> _Client:
        import boto3  # noqa: PLC0415 - takes long to load
        from botocore.config import Config  # noqa: PLC0415 - the same

        config = self._config
        session = boto3.session.Session(
            aws_access_key_id=config.access_key_id, aws_secret_access_key=self._secret
        )
        client: _Client = session.client(
            "s3",
            region_name=config.region,
            endpoint_url=config.endpoint_url or None,
            config=Config(
                connect_timeout=_CONNECT_TIMEOUT_S,
                read_timeout=_READ_TIMEOUT_S,
                retries={"mode": "standard", "total_max_attempts": _ATTEMPTS},
                s3={"addressing_style": "path" if config.endpoint_url else "auto"},
                proxies={},
            ),
        )
        return client

    def _call(self, work: Callable[[_Client], _Result], client: _Client) -> _Result:
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - as above
        from urllib3.exceptions import HTTPError  # noqa: PLC0415 - as above

        try:
            return work(client)
        except ClientError as error:
            raise _refusal(self._config.bucket, error) from error
        except RecursionError as error:
            # The library asks for the bucket's region by a request, which is redirected, too.
            problem = f"s3://{self._config.bucket}: the server redirects everything"
            raise ConnectorError(problem, hint=_WRONG, is_refused=True) from error
        except (BotoCoreError, HTTPError, OSError) as error:
            raise ConnectorError(f"s3://{self._config.bucket}: {error}", hint=_WRONG) from error


def _refusal(bucket: str, error: "ClientError") -> ConnectorError:
    """The error for a refusal of S3."""
    error_json = error.response.get("Error", {})
    response_metadata = error.response.get("ResponseMetadata", {})
    status = response_metadata.get("HTTPStatusCode", 0)
    code = error_json.get("Code", "")
    retry_after = response_metadata.get("HTTPHeaders", {}).get("retry-after")
    is_passing = status >= 500 or status in _PASSING
    return ConnectorError(
        f"s3://{bucket}: {error_json.get('Message', '')[:300]} ({code}, HTTP {status})",
        hint="" if is_passing else _HINTS.get(code, _WRONG),
        after_s=wait_from(retry_after, time.time()),
        is_refused=not is_passing,
    )
