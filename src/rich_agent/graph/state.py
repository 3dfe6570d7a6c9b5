"""State of a turn, as LangGraph checkpoints it: JSON-like values and messages only."""

from collections.abc import Iterable
from dataclasses import asdict, replace
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from langchain_core.messages import BaseMessage
from langgraph.graph.message import add_messages
from pydantic import TypeAdapter

from rich_agent.domain.answer.attachments import AttachmentState
from rich_agent.domain.answer.citation import CitationState, CommandOfferState
from rich_agent.domain.approving.cards import CardState
from rich_agent.domain.json_values import storable
from rich_agent.domain.message import IncomingMessage, Photo, ReplyContext, SentFile, TurnRequest
from rich_agent.domain.retrieval.further_search import Gap, OutlineState, RoundState
from rich_agent.domain.retrieval.passage import PassageState
from rich_agent.domain.routing.plan import Plan, Rule
from rich_agent.domain.tools import ActingState
from rich_agent.domain.user_files import FileRefusal
from rich_agent.domain.words import WordsState
from rich_agent.ports.session_leads import SessionState

JsonObject = dict[str, Any]
"""JSON that `graph.requests` writes and reads as a type of `domain.message`."""


class UserState(TypedDict):
    """The user who asks; `locale` is the language of the product's own phrases in this turn."""

    telegram_user_id: int
    locale: NotRequired[str]
    first_name: NotRequired[str]


class ImageAnswerState(TypedDict):
    """The finding of a further look; `image` numbers the images from 1."""

    image: int
    question: str
    answer: str
    cached: bool


class VisionState(TypedDict, total=False):
    """The content of the images; `cached` when no model call was needed.

    `limit` tells the user that a limit of the day kept images from being looked at. `answers` are
    those of a further look, also at earlier images; `look_error` says why there is none.
    """

    summary: dict[str, Any]
    image_id: str
    cached: bool
    limit: str
    answers: list[ImageAnswerState]
    look_error: str


class RagState(TypedDict, total=False):
    """The queries, and the passages found, in the order in which they are numbered.

    `queries` are the parts of the whole `query`, `described` is what it describes instead of
    naming. `gap` is why another round is wanted, "" for none, `rounds` are those after the first,
    with the `outlines` that they read. `web_limit` says why the web was not searched.
    """

    query: str
    queries: list[str]
    described: str
    gap: Gap | Literal[""]
    rounds: list[RoundState]
    outlines: list[OutlineState]
    retrieved_chunks: list[PassageState]
    citations: list[CitationState]
    web_error: str
    web_limit: str


class ReadFileState(TypedDict):
    """A file that came with the turn and was read; `id` is that of `UserFile`.

    `has_macros`: programs in it were not run.
    """

    id: int
    file_id: str
    name: str
    units: int
    is_kept: bool
    unread_pages: int
    has_macros: NotRequired[bool]


class RefusedFileState(TypedDict):
    """A file or page that came with the turn and cannot be read."""

    name: str
    reason: FileRefusal
    is_page: NotRequired[bool]


class UsedFileState(TypedDict):
    """The part of a file that the answer was written from: `read` of its `units`.

    "whole": its text is among the passages; "searched": the parts nearest to the question;
    "in_parts": a model read each part and noted what matters.
    """

    id: int
    name: str
    how: Literal["whole", "searched", "in_parts"]
    units: int
    read: int


class FilesState(TypedDict, total=False):
    """The files of a turn."""

    read: list[ReadFileState]
    refused: list[RefusedFileState]
    used: list[UsedFileState]


class KeptReference(TypedDict):
    """Something that is to be forgotten, as `domain.memory.traces.KeptText` has it."""

    kind: str
    key: str


class ForgettingState(TypedDict, total=False):
    """A request to forget, and its outcome.

    `status` is "asked" until the user chose one of `options` (or none), "nothing" when there is
    nothing to forget, "failed" when the model that judges failed. `words` and `facts` are its
    traces. `gone` counts what was deleted by its kind, `left` what only names it.
    """

    status: Literal["asked", "done", "kept", "nothing", "failed"]
    everything: bool
    options: list[list[KeptReference]]
    words: list[str]
    facts: list[str]
    gone: dict[str, int]
    left: int


class MemoryState(TypedDict, total=False):
    """The memory of the user, and what this turn changed in it.

    `preferences` are the entries that say how to answer. `is_whole` when everything fits into a
    prompt. `summary_words` are foreign words in the summary. `forgetting` is a wish to forget.
    `past_turns` are those asked about, with what they rest on; `past_searched` if looked for.
    """

    long_term_entries: list[str]
    preferences: list[str]
    is_whole: bool
    forgetting: ForgettingState
    conversation_summary: str
    summary_words: list[WordsState]
    summary_updated_at: str | None
    past_turns: list[dict[str, Any]]
    past_searched: bool
    updated: bool


class RoutingState(TypedDict, total=False):
    """The way in which the turn is answered, and why.

    `rule` is the rule of the product that decided or changed it, if any. `language` is that of the
    answer as the planner has it, a BCP 47 tag. `may_widen` when the web may be searched where the
    documents say little. `teaches` when something is worth keeping, `acts` when tools are wanted.
    `file_ids` are the files that the message is about; `reads_whole` when all of them is wanted,
    `files_only` when no document is searched besides. `spaces` are the ids of those that the
    question names.
    """

    intent: str
    plan: Plan
    reason: str
    rule: Rule | None
    language: str
    may_widen: bool
    teaches: bool
    acts: bool
    file_ids: list[int]
    reads_whole: bool
    files_only: bool
    spaces: list[int]
    decision_log_id: str


class ClarificationState(TypedDict, total=False):
    """The question that the bot asked back in this turn, and its outcome.

    `status` is "wanted", "open" while it waits, "answered", or "dropped" for another request.
    `said` are the user's words before it, `reply` is the request that answers it; with
    `only_choices` nothing else does. `round` counts a turn's questions, `shown_by` is the request
    in whose answer this one stands, `approves` the fingerprint of the calls that it is about, and
    `cards` are what is shown of each; a question without them is from before there were any. A call
    that may be permitted for good is of a tool with the fingerprint `lasting`, and `fixed` are the
    arguments that would stay the same, None for all.
    """

    status: Literal["wanted", "open", "answered", "dropped"]
    round: int
    approves: str
    lasting: str
    fixed: list[str] | None
    cards: list[CardState]
    question: str
    choices: list[str]
    only_choices: bool
    request_id: str
    shown_by: str
    revision: int
    said: str
    reply: JsonObject


class WithheldState(TypedDict, total=False):
    """Why the answer is withheld: a person has to approve it, or the user stopped it."""

    kind: Literal["approval"]
    status: Literal["waiting", "stopped"]


class AnswerState(TypedDict, total=False):
    """The answer as the user reads it; other fields are as in `domain.answer.Answer`."""

    text: str
    citations: list[CitationState]
    worth_rating: bool
    is_cut: bool
    undo: str
    commands: list[CommandOfferState]
    files: list[int]
    attachments: list[AttachmentState]
    locale: str
    debug: dict[str, Any]


def merge_by_node(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Add what one node reports to what the others reported."""
    return {**old, **new}


class TurnInput(TypedDict):
    """The input of a turn: a `TurnRequest`.

    Next to its fields are `clarification` if it is the edited answer to that question, and `erased`
    if it was forgotten.
    """

    request: JsonObject


class TurnState(TypedDict, total=False):
    """The whole state; what is not named below belongs to one turn and is reset by N1.

    `messages` are of several turns, `fresh_from` numbers the last /new that emptied them,
    `last_images` are those that the user sent last, and `written_in` has the locales of their last
    messages, separated by spaces. `turns_at_wish` are the requests of the turns that were held when
    the last wish to forget came, with the wish. `request` is a `TurnRequest`. `input` is its
    message as it is read: `text`, `image` (the first of `images`, each by its hash) and
    `reply_context`, with what else came.
    """

    messages: Annotated[list[BaseMessage], add_messages]
    request: JsonObject
    fresh_from: int
    last_images: list[JsonObject]
    written_in: str
    turns_at_wish: list[str]
    user: UserState
    input: JsonObject
    vision: VisionState
    files: FilesState
    rag: RagState
    memory: MemoryState
    routing: RoutingState
    clarification: ClarificationState
    acting: ActingState
    session: SessionState
    approval: WithheldState
    answer: AnswerState
    latency_ms: Annotated[dict[str, float], merge_by_node]
    node_log: Annotated[dict[str, Any], merge_by_node]


TurnUpdate = TurnState  # only the keys that a node changes


_REQUEST = TypeAdapter(TurnRequest)
_MESSAGE = TypeAdapter(IncomingMessage)
_PHOTOS = TypeAdapter(tuple[Photo, ...])


def request_to_state(request: TurnRequest) -> JsonObject:
    """The request as flat JSON that can be stored, whatever characters it came with."""
    values = asdict(request)
    state: JsonObject = storable({**values.pop("message"), **values})
    return state


def read_request(state: JsonObject) -> TurnRequest:
    """The request that `request_to_state` wrote."""
    # Versions before called `media_text` so.
    message = {"media_text": state.get("heard", ""), **state}
    return _REQUEST.validate_python({**state, "message": message})


def request_of(state: TurnState) -> TurnRequest:
    """The request that the turn answers."""
    return read_request(state["request"])


def reply_of(state: TurnState) -> TurnRequest | None:
    """The request that answered the turn's question back, None without one."""
    reply = (state.get("clarification") or {}).get("reply")
    return read_request(reply) if reply else None


def request_with(state: TurnState, message: IncomingMessage) -> JsonObject:
    """The turn's request with this message; what else is stored with it stays."""
    return {**state["request"], **request_to_state(replace(request_of(state), message=message))}


def input_to_state(message: IncomingMessage) -> JsonObject:
    """A message whose photos were hashed, as JSON; what is empty is left out."""
    state: JsonObject = storable(
        {
            "text": message.text,
            "origin": message.origin,
            **_without_empty(
                forwarded=message.forwarded and asdict(message.forwarded),
                links=message.links,
                is_only_links=message.is_only_links,
                unread=message.unread,
                **_attachments(message.photos, message.files),
                reply_context=message.reply and _reply_to_state(message.reply),
            ),
        }
    )
    return state


def input_of(state: TurnState) -> IncomingMessage:
    """The message that the turn is about, joined with what answered a question back."""
    message = state["input"]
    reply = message.get("reply_context")
    return _MESSAGE.validate_python(
        {
            **message,
            "user": state["user"],
            "photos": message.get("images", ()),
            "reply": reply and {**reply, "photos": reply.get("images", ())},
        }
    )


def photos_to_state(photos: Iterable[Photo]) -> list[JsonObject]:
    """Photos by reference: their bytes never enter the state."""
    return [
        {"file_id": one.file_id, "sha256": one.sha256, "size_bytes": one.size_bytes or 0}
        for one in photos
    ]


def last_images_of(state: TurnState) -> list[Photo]:
    """The images that the user sent last."""
    return list(_PHOTOS.validate_python(state.get("last_images", ())))


def _reply_to_state(reply: ReplyContext) -> JsonObject:
    return {
        "message_id": reply.message_id,
        "text": reply.text,
        "author": reply.author,
        **_without_empty(
            quote=reply.quote, links=reply.links, **_attachments(reply.photos, reply.files)
        ),
    }


def _attachments(photos: Iterable[Photo], files: Iterable[SentFile]) -> JsonObject:
    images = photos_to_state(photos)
    return {"image": next(iter(images), None), "images": images, "files": list(map(asdict, files))}


def _without_empty(**values: Any) -> JsonObject:  # noqa: ANN401 - JSON of any shape
    return {name: value for name, value in values.items() if value}
