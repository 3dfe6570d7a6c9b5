"""Adding sources: by address, which is looked at before, by upload, or by connecting a service."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args, get_origin

from starlette.datastructures import UploadFile
from starlette.responses import Response

from rich_agent.feature.pages import PageRefusedError, PageRoute, Visit
from rich_agent.feature.registry import (
    ConnectionRequest,
    ConnectorKind,
    FetchOptions,
    Intranet,
    KindOverview,
    KnowledgeListing,
    NewFile,
    PostgresConnections,
    PostgresSpaceRegistry,
    PostgresUploadedFiles,
    Source,
    SourceError,
    SourceRegistration,
    SourceType,
    all_kinds,
    check_files,
    connect,
    find_kind,
    is_in_intranet,
    make_source,
    preview_source,
    try_out,
    uploaded_source,
)
from rich_agent.features.operator_pages.knowledge.visiting import (
    ASK_OPERATOR,
    PATH,
    changeable_source,
    refusals,
)
from rich_agent.features.operator_pages.roles import CHANGERS, KNOWLEDGE_CHANGERS

WEB_KINDS: Final[tuple[SourceType, ...]] = ("page", "sitemap", "url-list")
_OPTIONS: Final = ("name", "space", "include", "exclude")
_SERVICE_S: Final = 60.0
_TRIAL_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class OptionField:
    """An option of a service as a field of a form.

    `choices`: the values that it can have, () for a text.
    `is_list`: whether it takes several values, one on a line.
    """

    name: str
    description: str
    is_required: bool
    value: str
    choices: tuple[str, ...] = ()
    is_list: bool = False


@dataclass(frozen=True, slots=True)
class AddingPages:
    """The forms that add sources, and what they do."""

    listing: KnowledgeListing
    registration: SourceRegistration
    spaces: PostgresSpaceRegistry
    files: PostgresUploadedFiles
    connections: PostgresConnections
    fetching: FetchOptions

    def routes(self) -> Sequence[PageRoute]:
        """The routes of the forms."""
        kinds = f"{PATH}/connect"
        post = ("POST",)
        return (
            PageRoute(
                *(f"{PATH}/look", self.look, post, KNOWLEDGE_CHANGERS, "knowledge.look"),
                subject_fields=("target",),
            ),
            PageRoute(
                *(f"{PATH}/add", self.add, post, KNOWLEDGE_CHANGERS, "knowledge.add"),
                subject_fields=("target",),
            ),
            PageRoute(
                f"{PATH}/upload",
                self.upload,
                post,
                KNOWLEDGE_CHANGERS,
                "knowledge.upload",
                self.fetching.max_file_bytes + 1_000_000,
                subject_fields=("name",),
            ),
            # With a service come a secret, and rights of others.
            PageRoute(kinds, self.show_kinds, roles=CHANGERS),
            PageRoute(f"{kinds}/{{kind}}", self.show_form, roles=CHANGERS),
            PageRoute(
                f"{kinds}/{{kind}}",
                self.connect,
                post,
                CHANGERS,
                "knowledge.connect",
                secret_fields=("secret",),
            ),
        )

    async def look(self, visit: Visit) -> Response:
        """A look at an address, with the form that adds it."""
        with refusals(visit):
            source = _web_source(visit)
            await self._permit_address(source, visit)
            is_free = visit.role in CHANGERS
            fetching = self.fetching if is_free else replace(self.fetching, intranet=Intranet())
            preview = await preview_source(source, fetching)
        return visit.page(
            "knowledge_look.html",
            title=visit.say("operator_pages-knowledge-add-address"),
            preview=preview,
            kinds=WEB_KINDS,
            spaces=[space.name for space in await self.spaces.all()],
            include=visit.text("include"),
            exclude=visit.text("exclude"),
        )

    async def add(self, visit: Visit) -> Response:
        """Register an address, and have a worker read it."""
        with refusals(visit):
            source = _web_source(visit)
            await self._permit_address(source, visit)
            changes = {name: True for name in _OPTIONS if visit.text(name)}
            every = visit.text("every") or None
            (change,) = await self.registration.add(
                [source], await self._permitted(changes, source, visit), every
            )
            await self.registration.read_now(change.source)
        visit.note(source=source.id)
        return visit.done(f"{PATH}/sources/{source.id}", _phrase_key(change.source))

    async def upload(self, visit: Visit) -> Response:
        """Keep files, and have a worker read them."""
        with refusals(visit):
            files = await _files_of(visit, self.fetching.max_file_bytes)
            name = visit.text("name", 100) or files[0].name[:60]
            source = uploaded_source(name, space=visit.text("space"))
            changes = {"space": True} if source.space else {}
            (change,) = await self.registration.add(
                [source], await self._permitted(changes, source, visit)
            )
            count = await self.files.keep(change.source, files)
            await self.registration.read_now(change.source)
        visit.note(source=source.id, kept=[file.name for file in files], changed=count)
        return visit.done(f"{PATH}/sources/{source.id}", _phrase_key(change.source))

    async def show_kinds(self, visit: Visit) -> Response:
        """The services that can be connected."""
        title = visit.say("operator_pages-knowledge-connect")
        return visit.page("knowledge_kinds.html", title=title, kinds=all_kinds())

    async def show_form(self, visit: Visit) -> Response:
        """The form of a service; of one that is connected with its options."""
        with refusals(visit):
            kind = find_kind(visit.request.path_params["kind"])
            options = await self._stored_options(visit.query.get("source", ""), kind)
            fields = option_fields(kind, options)
        return await self._form(visit, kind, fields, visit.query.get("name", ""))

    async def connect(self, visit: Visit) -> Response:
        """Connect a service, or try the connection without storing it."""
        with refusals(visit):
            kind = find_kind(visit.request.path_params["kind"])
            request = ConnectionRequest(
                kind=kind,
                name=visit.text("name", 100) or None,
                options=_options_of(kind, visit),
                every=visit.text("every") or None,
                rights_every=None,
                space=visit.text("space") or None,
                secret=visit.text("secret", 10_000),
            )
            if visit.text("try"):
                async with asyncio.timeout(_TRIAL_S):
                    trial = await try_out(request, self.registration)
                values = _values_of(kind, visit)
                fields = option_fields(kind, values)
                return await self._form(visit, kind, fields, request.name or "", trial)
            async with asyncio.timeout(_SERVICE_S):
                change = await connect(request, self.registration)
        visit.note(source=change.source.id)
        return visit.done(f"{PATH}/sources/{change.source.id}", _phrase_key(change.source))

    async def _permit_address(self, source: Source, visit: Visit) -> None:
        """Raise PageRefusedError if the visitor may not have the address read."""
        intranet = self.fetching.intranet
        if visit.role in CHANGERS or intranet == Intranet():
            return
        # A list of addresses leads to any host.
        if source.type == "url-list" or await is_in_intranet(source.root_url, intranet):
            problem = "You may not add addresses of the intranet, nor lists, which may have some."
            raise PageRefusedError(problem, hint=ASK_OPERATOR)

    async def _permitted(
        self, changes: Mapping[str, bool], source: Source, visit: Visit
    ) -> Mapping[str, bool]:
        """The changes without the space of a registered source, if the visitor may not move it.

        Raises: PageRefusedError if the visitor may not change the source at all.
        """
        source_entry = await changeable_source(self.listing, source.id, visit)
        if visit.role in CHANGERS or source_entry is None:
            return changes
        return {name: True for name in changes if name != "space"}

    async def _stored_options(self, source_id: str, kind: ConnectorKind) -> Mapping[str, object]:
        connection = await self.connections.get(source_id) if source_id else None
        return connection.config if connection and connection.kind == kind.name else {}

    async def _form(
        self,
        visit: Visit,
        kind: ConnectorKind,
        fields: Sequence[OptionField],
        name: str,
        trial: object = None,
    ) -> Response:
        return visit.page(
            "knowledge_connect.html",
            title=kind.name,
            kind=KindOverview.of(kind),
            fields=fields,
            name=name,
            trial=trial,
            spaces=[space.name for space in await self.spaces.all()],
        )


def _phrase_key(source: Source) -> str:
    """The key of what is said of a source that was added; nobody reads one that is left out."""
    is_read = source.status == "active"
    return f"operator_pages-knowledge-said-{'added' if is_read else 'saved'}"


def option_fields(kind: ConnectorKind, values: Mapping[str, object]) -> list[OptionField]:
    """The fields of a service's form, with values. Raises: SourceError if it cannot be loaded."""
    fields = []
    for name, field in kind.config.model_fields.items():
        default = field.get_default(call_default_factory=True)
        is_list = isinstance(default, (tuple, list))
        fields.append(
            OptionField(
                name,
                field.description or "",
                field.is_required(),
                _text_of(values.get(name, "" if field.is_required() else default)),
                _choices_of(field.annotation),
                is_list,
            )
        )
    return fields


def _choices_of(annotation: object) -> tuple[str, ...]:
    """The values that a type allows, () for a text; None is the empty one."""
    if annotation is bool:
        return ("true", "false")
    if get_origin(annotation) is Literal:
        return tuple(map(str, get_args(annotation)))
    options = [_choices_of(one) for one in get_args(annotation) if one is not type(None)]
    return ("", *options[0]) if len(options) == 1 and options[0] else ()


def _text_of(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return "\n".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _values_of(kind: ConnectorKind, visit: Visit) -> dict[str, object]:
    return {name: visit.text(f"option-{name}", 5_000) for name in kind.config.model_fields}


def _options_of(kind: ConnectorKind, visit: Visit) -> list[str]:
    """The options as words NAME=VALUE; one that is empty keeps its default."""
    options = []
    for field in option_fields(kind, {}):
        text = visit.text(f"option-{field.name}", 5_000)
        lines = text.splitlines() if field.is_list else [text]
        options += [f"{field.name}={line.strip()}" for line in lines if line.strip()]
    return options


def _web_source(visit: Visit) -> Source:
    """The source that a form describes. Raises: SourceError."""
    target, kind = visit.text("target", 2_000), visit.text("kind")
    if not target.lower().startswith(("http://", "https://")):
        raise PageRefusedError(visit.say("operator_pages-knowledge-address-wrong"))
    if kind and kind not in WEB_KINDS:
        raise SourceError(f"{kind}: this is no kind of an address", hint="Leave the kind out.")
    return make_source(
        target,
        kind=kind if kind in WEB_KINDS else None,
        name=visit.text("name", 200) or None,
        include=_lines(visit, "include"),
        exclude=_lines(visit, "exclude"),
        space=visit.text("space", 100),
    )


def _lines(visit: Visit, name: str) -> list[str]:
    return [line.strip() for line in visit.text(name).splitlines() if line.strip()]


async def _files_of(visit: Visit, most_bytes: int) -> list[NewFile]:
    """The files of a form. Raises: SourceError if one cannot be read."""
    files = [
        NewFile(file.filename, await file.read())
        for file in visit.form.getlist("files")
        if isinstance(file, UploadFile) and file.filename
    ]
    return check_files(files, most_bytes)
