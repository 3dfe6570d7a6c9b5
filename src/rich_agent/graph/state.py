"""State of a turn, as LangGraph checkpoints it: JSON-like values and messages only."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from operator import is_
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from langchain_core.messages import BaseMessage
from langgraph.graph.message import add_messages
from pydantic import TypeAdapter
from typing_extensions import override

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
"""JSON that a type of `domain.message` is written to, and read from."""


class UserState(TypedDict):
    """The user who asks; `locale` is the language of the product's own sentences."""

    telegram_user_id: int
    locale: NotRequired[str]
    first_name: NotRequired[str]


class ImageAnswerState(TypedDict):
    """The answer of a further look at an image; images are numbered from 1."""

    image: int
    question: str
    answer: str
    cached: bool


class VisionState(TypedDict, total=False):
    """The content of the turn's images."""

    summary: dict[str, Any]
    image_id: str
    cached: bool
    """Whether no model call was needed."""
    limit: str
    """The sentence that a daily limit kept images from being looked at."""
    answers: list[ImageAnswerState]
    """The answers of a further look, which may be at earlier images."""
    look_error: str
    """The reason why a further look failed."""


class RagState(TypedDict, total=False):
    """The queries of the turn, and the passages that they found."""

    query: str
    """The whole question as a query."""
    queries: list[str]
    """The parts of the query, if it is compound."""
    described: str
    """The thing that the question describes instead of naming it."""
    lists_documents: bool
    """Whether the question asks which documents there are."""
    gap: Gap | Literal[""]
    """The reason for another round of searching, "" for none."""
    rounds: list[RoundState]
    """The rounds of searching after the first."""
    outlines: list[OutlineState]
    """The outlines of documents that those rounds read."""
    left_out: bool
    """Whether a round was left out because the model's server is slow."""
    retrieved_chunks: list[PassageState]
    """The passages, in the order of their numbers."""
    citations: list[CitationState]
    web_error: str
    web_limit: str
    """The sentence that a daily limit kept the web from being searched."""


class ReadFileState(TypedDict):
    """A file that came with the turn and was read."""

    id: int
    """The id of the stored `UserFile`."""
    file_id: str
    """The messenger's id of the file, or the address of a page."""
    name: str
    units: int
    is_kept: bool
    unread: NotRequired[dict[str, int]]
    """The number of its parts of each kind that were not read."""
    has_macros: NotRequired[bool]
    """Whether the file holds programs, which were not run."""


class RefusedFileState(TypedDict):
    """A file or page that came with the turn and cannot be read."""

    name: str
    reason: FileRefusal
    is_page: NotRequired[bool]
    unread: NotRequired[dict[str, int]]


class UsedFileState(TypedDict):
    """The part of a file that the answer was written from: `read` of its `units`."""

    id: int
    name: str
    how: Literal["whole", "searched", "in_parts"]
    """"whole" for all its text, "searched" for the parts nearest to the question.

    "in_parts" for a model's notes on one part after the other.
    """
    units: int
    read: int
    unread: NotRequired[dict[str, int]]
    """The number of its parts of each kind that were not read."""


class FilesState(TypedDict, total=False):
    """The files of a turn: read, refused, and used for the answer."""

    read: list[ReadFileState]
    refused: list[RefusedFileState]
    used: list[UsedFileState]


class KeptReference(TypedDict):
    """A stored text that may be forgotten; see `KeptText` in `domain.memory.traces`."""

    kind: str
    key: str


class ForgettingState(TypedDict, total=False):
    """A request to forget, and its outcome."""

    status: Literal["asked", "done", "kept", "nothing", "failed"]
    """"asked" until the user chose an option or none, "failed" if the model failed."""
    everything: bool
    options: list[list[KeptReference]]
    """The texts that each choice would delete."""
    words: list[str]
    """The words by which texts about the subject are found."""
    facts: list[str]
    """The memories about the subject."""
    gone: dict[str, int]
    """The number of deleted texts by kind."""
    left: int
    """The number of texts that only mention the subject and were kept."""


class MemoryState(TypedDict, total=False):
    """The memory of the user, and its changes in this turn."""

    long_term_entries: list[str]
    preferences: list[str]
    """The entries about how to answer."""
    is_whole: bool
    """Whether the whole memory fits into a prompt."""
    forgetting: ForgettingState
    """The user's request to forget."""
    conversation_summary: str
    summary_words: list[WordsState]
    """The foreign words in the summary."""
    summary_updated_at: str | None
    past_turns: list[dict[str, Any]]
    """Earlier turns that the user asked about, with the words that they rest on."""
    past_searched: bool
    """Whether earlier turns were searched for."""
    awaits_fold: bool
    """Whether turns that left the state are in no summary yet."""
    updated: bool


class RoutingState(TypedDict, total=False):
    """The way in which the turn is answered, and the reason."""

    intent: str
    plan: Plan
    reason: str
    rule: Rule | None
    """The rule of the product that decided or changed the routing, None without one."""
    language: str
    """The language of the answer by the planner, a BCP 47 tag."""
    may_widen: bool
    """Whether the web may be searched if the documents say little."""
    teaches: bool
    """Whether the message says something worth remembering."""
    acts: bool
    """Whether the message asks for something to be done by tools."""
    file_ids: list[int]
    """The files that the message is about."""
    reads_whole: bool
    """Whether these files have to be read as a whole."""
    files_only: bool
    """Whether only these files are searched, and no documents."""
    spaces: list[int]
    """The ids of the spaces that the question names."""
    decision_log_id: str


class PersonaState(TypedDict, total=False):
    """The persona in the turn's prompts, as `Persona.to_state` has it."""

    name: str
    tone: str
    rules: list[str]
    of_answer: JsonObject
    """Another persona for the answer alone, of the one space that the question names."""


class ClarificationState(TypedDict, total=False):
    """A question that the bot asked in this turn, and its outcome."""

    status: Literal["wanted", "open", "answered", "dropped"]
    """"wanted" before it is asked, "open" while it waits, "dropped" for another request."""
    round: int
    """The number of questions that this turn has asked."""
    approves: str
    """The fingerprint of the calls that the question is about, "" for others."""
    lasting: str
    """The fingerprint of the tool that can be permitted permanently, "" for none."""
    fixed: list[str] | None
    """The arguments that a permanent permission fixes, None for all."""
    cards: list[CardState]
    """The card of each call; older versions stored questions without cards."""
    question: str
    choices: list[str]
    only_choices: bool
    """Whether only a choice counts as an answer."""
    request_id: str
    shown_by: str
    """The request in whose answer the question stands."""
    revision: int
    said: str
    """The user's text before the question."""
    reply: JsonObject
    """The request that answered the question."""


class WithheldState(TypedDict, total=False):
    """The reason why the answer is withheld: a person has to approve it, or the user stopped it."""

    kind: Literal["approval"]
    status: Literal["waiting", "stopped"]


class AnswerState(TypedDict, total=False):
    """The answer as the user reads it; most fields are as in `domain.answer.citation.Answer`."""

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
    """The reports of the other nodes, with the report of this one."""
    return {**old, **new}


class TurnInput(TypedDict):
    """The input of a turn: the fields of a `TurnRequest`.

    `clarification` is added if the user edited the answer to that question, `erased` if the request
    was forgotten.
    """

    request: JsonObject


class TurnState(TypedDict, total=False):
    """The whole state. Keys without a docstring belong to one turn and are reset by N1."""

    messages: Annotated[list[BaseMessage], add_messages]
    """The messages of several turns."""
    request: JsonObject
    """The `TurnRequest` that the turn answers."""
    fresh_from: int
    """The number of the last /new, which emptied the messages."""
    last_images: list[JsonObject]
    """The images that the user sent last."""
    written_in: str
    """The locales of the user's last messages, separated by spaces."""
    turns_at_wish: list[str]
    """The requests of the turns in the state at the last request to forget."""
    user: UserState
    input: JsonObject
    """The message as the turn reads it, with `images` by hash and `reply_context`."""
    vision: VisionState
    files: FilesState
    rag: RagState
    memory: MemoryState
    routing: RoutingState
    persona: PersonaState
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
_MESSAGES_KEPT = 128


def request_to_state(request: TurnRequest) -> JsonObject:
    """The request as flat JSON that can be stored, whatever characters it holds."""
    fields = asdict(request)
    state: JsonObject = storable({**fields.pop("message"), **fields})
    return state


def read_request(state: JsonObject) -> TurnRequest:
    """The request that `request_to_state` wrote."""
    # Older versions called `media_text` so.
    message = {"media_text": state.get("heard", ""), **state}
    return _REQUEST.validate_python({**state, "message": message})


def request_of(state: TurnState) -> TurnRequest:
    """The request that the turn answers."""
    return _kept_request(_Identity((state["request"],)))


def reply_of(state: TurnState) -> TurnRequest | None:
    """The request that answered the turn's question, None without one."""
    reply = (state.get("clarification") or {}).get("reply")
    return read_request(reply) if reply else None


def request_with(state: TurnState, message: IncomingMessage) -> JsonObject:
    """The turn's request with this message; other stored keys stay."""
    return {**state["request"], **request_to_state(replace(request_of(state), message=message))}


def input_to_state(message: IncomingMessage) -> JsonObject:
    """A message whose photos have hashes, as JSON without empty fields."""
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
    """The message that the turn is about, joined with the answer to a question."""
    return _kept_input(_Identity((state["input"], state["user"])))


@dataclass(frozen=True, slots=True, eq=False)
class _Identity:
    """Values of the state that are equal only to themselves; no node changes them in place."""

    values: tuple[Any, ...]

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and all(map(is_, self.values, other.values))

    @override
    def __hash__(self) -> int:
        return hash(tuple(map(id, self.values)))


# The nodes of a turn read its request and its message some hundred times.
@lru_cache(_MESSAGES_KEPT)
def _kept_request(state: _Identity) -> TurnRequest:
    return read_request(*state.values)


@lru_cache(_MESSAGES_KEPT)
def _kept_input(state: _Identity) -> IncomingMessage:
    message, user = state.values
    reply = message.get("reply_context")
    return _MESSAGE.validate_python(
        {
            **message,
            "user": user,
            "photos": message.get("images", ()),
            "reply": reply and {**reply, "photos": reply.get("images", ())},
        }
    )


def photos_to_state(photos: Iterable[Photo]) -> list[JsonObject]:
    """Photos by id, hash and size; their bytes never enter the state."""
    return [
        {"file_id": photo.file_id, "sha256": photo.sha256, "size_bytes": photo.size_bytes or 0}
        for photo in photos
    ]


def last_images_of(state: TurnState) -> list[Photo]:
    """The images that the user sent last."""
    return list(_PHOTOS.validate_python(state.get("last_images", ())))


def _reply_to_state(reply: ReplyContext) -> JsonObject:
    """The message replied to, as JSON."""
    return {
        "message_id": reply.message_id,
        "text": reply.text,
        "author": reply.author,
        **_without_empty(
            quote=reply.quote, links=reply.links, **_attachments(reply.photos, reply.files)
        ),
    }


def _attachments(photos: Iterable[Photo], files: Iterable[SentFile]) -> JsonObject:
    """Photos and files as JSON; `image` is the first photo."""
    images = photos_to_state(photos)
    return {"image": next(iter(images), None), "images": images, "files": list(map(asdict, files))}


def _without_empty(**values: Any) -> JsonObject:  # noqa: ANN401 - JSON of any shape
    """The values that are not empty, by name."""
    return {name: value for name, value in values.items() if value}
