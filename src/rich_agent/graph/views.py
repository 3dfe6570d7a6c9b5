"""Typed readings of the state that several nodes share."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from rich_agent.domain.languages import MOST_OBSERVED, locale_of_message, locale_of_tag
from rich_agent.domain.message import Forwarded, IncomingMessage, Photo, SentFile
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rights import ANYBODY, Reader
from rich_agent.domain.routing.plan import SMALLTALK
from rich_agent.domain.text import shorten
from rich_agent.domain.time.wall_time import local_of
from rich_agent.domain.time.zones import zone_named
from rich_agent.domain.tools import ActingState
from rich_agent.domain.vision import ImageSummary
from rich_agent.graph.state import (
    TurnState,
    input_of,
    last_images_of,
    reply_of,
    request_of,
    request_with,
)
from rich_agent.phrases import say
from rich_agent.prompts import as_attribute, disarm, tagged
from rich_agent.times import UTC_ZONE, Clocks


def is_refused(state: TurnState) -> bool:
    """Whether the message is one too many for its guided session: it only gets a sentence."""
    return bool((state.get("session") or {}).get("refusal"))


def is_in_session(state: TurnState) -> bool:
    """Whether the turn belongs to a guided session, and does not leave it."""
    return "template" in (state.get("session") or {})


def locale_of(state: TurnState) -> str:
    """The language of the product's own phrases in this turn."""
    return state["user"].get("locale", "en")


def clocks_of(state: TurnState, now: datetime) -> Clocks:
    """The clocks of the user of this turn."""
    return Clocks(locale_of(state), request_of(state).message.user.time_zone, now)


def present_of(state: TurnState, now: datetime) -> str:
    """The user's weekday, date, time and time zone, as prompts tell them; exact, and in English."""
    zone = zone_of(state)
    is_known = bool(request_of(state).message.user.time_zone)
    place = (
        f"in {zone}"
        if is_known
        else "UTC (the user's time zone is not known: write UTC behind a time)"
    )
    return f"{local_of(now, zone):%A, %Y-%m-%d %H:%M} {place}"


def zone_of(state: TurnState) -> str:
    """The zone of the user's clocks, UTC while that is not known."""
    return zone_named(request_of(state).message.user.time_zone) or UTC_ZONE


def message_locale(language: str, state: TurnState) -> str | None:
    """The locale of the user's message; `language` is the planner's guess, a BCP 47 tag."""
    code = request_of(state).message.user.language_code or ""
    return locale_of_message(question_of(state), language, locale_of_tag(code))


def recent_locales(language: str, state: TurnState) -> list[str]:
    """The locales of the user's last messages with the present one, as far as they are known.

    `language` is the planner's guess for the present one, a BCP 47 tag.
    """
    before = state.get("written_in", "").split()
    locale = message_locale(language, state)
    return [*before, locale][-MOST_OBSERVED:] if locale else before


def is_for_group(state: TurnState) -> bool:
    """Whether a group reads the answer, not only the user who asked."""
    return request_of(state).audience == "group"


def reader_of(state: TurnState) -> Reader:
    """The one whose rights the turn has; a group may read what everybody may."""
    user = request_of(state).message.user
    return ANYBODY if is_for_group(state) else Reader(user.telegram_user_id)


def question_of(state: TurnState) -> str:
    """The user's own text, "" for a photo without caption and for what they forwarded."""
    return input_of(state).text


def may_ask(state: TurnState) -> bool:
    """Whether the message may ask what documents or the web could answer.

    What somebody else wrote, passed on without a word, asks for nothing. Nor does small talk, nor a
    request to do something, whatever its plan is: of a question besides, the answer itself says
    what it lacks.
    """
    return bool(question_of(state)) and not is_no_question(state)


def is_no_question(state: TurnState) -> bool:
    """Whether the message is planned as small talk, or as a request to do something."""
    routing = state["routing"]
    return routing["intent"] == SMALLTALK or bool(routing.get("acts"))


def words_of(state: TurnState) -> str:
    """The words that the turn is about: the user's own, else those that they forwarded."""
    return input_of(state).words()


def conversation_text(message: IncomingMessage) -> str:
    """Return the user's words as the conversation keeps them; forwarded words are marked."""
    quotation = _quotation_text(message.forwarded) if message.forwarded else ""
    return "\n\n".join(filter(None, (message.text, quotation)))


def _quotation_text(source: Forwarded) -> str:
    author = f" from {source.author}" if source.author else ""
    return f"[Forwarded message{author}]\n{source.text}".rstrip()


def is_comment(state: TurnState) -> bool:
    """Whether the user's words are about something that they forwarded."""
    return bool(question_of(state) and input_of(state).forwarded)


def message_of(message: IncomingMessage, request_id: str) -> HumanMessage:
    """Return the user's message, marked as `message_marks` has it."""
    quotation = asdict(message.forwarded) if message.forwarded else None
    names = [file.name for file in message.files]
    marks = message_marks(quotation, len(images_in(message)), names)
    return HumanMessage(
        conversation_text(message), id=f"{request_id}:user", additional_kwargs=marks
    )


def message_marks(
    quotation: Mapping[str, Any] | None, photos: int, files: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the facts of a message, besides its words, that the prompts of later turns need."""
    marks = {"forwarded": quotation, "photos": photos, "files": list(files)}
    return {name: value for name, value in marks.items() if value}


def forwarded_slot(state: TurnState) -> dict[str, str] | None:
    """The words that the user passed on as prompts show them: text and author."""
    source = input_of(state).forwarded
    return asdict(source) if source else None


def images_of(state: TurnState) -> list[Photo]:
    """The images of the message, then those of the message it replies to; each content once."""
    return images_in(input_of(state))


def images_in(message: IncomingMessage) -> list[Photo]:
    """See `images_of`."""
    images = [*message.photos, *(message.reply.photos if message.reply else ())]
    return list({image.sha256: image for image in images}.values())


def files_of(state: TurnState) -> list[SentFile]:
    """The files of the message, then those of the message it replies to; each once."""
    message = input_of(state)
    files = [*message.files, *(message.reply.files if message.reply else ())]
    return list({file.file_id: file for file in files}.values())


def acting_of(state: TurnState) -> ActingState:
    """Return the calls made in this turn, {} before any."""
    return state.get("acting") or {}


def unseen_of(state: TurnState) -> str:
    """Why none of the turn's images was looked at, "" when some were, or there is none."""
    vision = state["vision"]
    return "" if vision.get("summary") else vision.get("limit", "")


def earlier_images_of(state: TurnState) -> list[Photo]:
    """The last images of earlier turns, for a turn that brought none; [] otherwise."""
    return [] if images_of(state) else last_images_of(state)


def rests_on_images(state: TurnState) -> bool:
    """Whether the answer may say what images show."""
    looked_again = {"answers", "look_error"} & set(state["vision"])
    return bool(images_of(state) and not unseen_of(state)) or bool(looked_again)


def passages_of(state: TurnState) -> list[Passage]:
    """The passages found so far, in the order in which they are numbered."""
    return [Passage.from_state(chunk) for chunk in state["rag"].get("retrieved_chunks", ())]


def further_queries(state: TurnState) -> list[str]:
    """The queries of the rounds after the first, in order."""
    return [query for one in state["rag"].get("rounds", ()) for query in one["queries"]]


def all_queries(state: TurnState) -> list[str]:
    """All queries to the documents, each once: the question or its parts, then the rest."""
    rag = state["rag"]
    first = rag.get("queries") or [rag.get("query", "")]
    return list(dict.fromkeys([*first, *further_queries(state)]))


_NOT_STORED = frozenset({"thread_id", "request_id", "revision"})


def kept_request(state: TurnState) -> dict[str, Any]:
    """The request as the transcript keeps it: without what is empty or kept next to it.

    Each photo has its hash, so that the turn can be run again without fetching it.
    """
    message, full_message = request_of(state).message, input_of(state)
    images = [*full_message.photos, *(full_message.reply.photos if full_message.reply else ())]
    image_by_id = {image.file_id: image for image in images}
    reply = message.reply
    with_hashes = replace(
        message,
        photos=_with_hashes(message.photos, image_by_id),
        reply=reply and replace(reply, photos=_with_hashes(reply.photos, image_by_id)),
    )
    values = {
        **request_with(state, with_hashes),
        "text": full_message.text if full_message.text != conversation_text(full_message) else "",
        "fresh_from": state.get("fresh_from", 0),
    }
    return {name: value for name, value in values.items() if value and name not in _NOT_STORED}


def _with_hashes(photos: Iterable[Photo], image_by_id: Mapping[str, Photo]) -> tuple[Photo, ...]:
    return tuple(
        replace(photo, sha256=image.sha256, size_bytes=image.size_bytes)
        if (image := image_by_id.get(photo.file_id))
        else photo
        for photo in photos
    )


def image_summary_of(state: TurnState) -> str:
    """The summary of the turn's images as a prompt shows it, "" without one."""
    summary = state["vision"].get("summary")
    return ImageSummary.from_json(summary).to_text() if summary else ""


def photo_of(state: TurnState) -> list[Passage]:
    """Return the facts known of images as one passage that can be cited; none without an image."""
    answers = [look["answer"] for look in state["vision"].get("answers", ())]
    content = "\n".join(filter(None, [image_summary_of(state), *answers]))
    if not content:
        return []
    return [Passage("photo", "photo", content, "", say(locale_of(state), "your-photo"))]


def reply_to_of(state: TurnState) -> dict[str, str] | None:
    """The message replied to as prompts show it: its text, author and the part that is quoted."""
    reply = input_of(state).reply
    return {"text": reply.text, "author": reply.author, "quote": reply.quote} if reply else None


def clarification_slot(state: TurnState) -> dict[str, str] | None:
    """The question that was asked back and its answer as prompts show them, None without both."""
    question, reply = state.get("clarification") or {}, reply_of(state)
    if question.get("status") != "answered" or reply is None:
        return None
    return {"question": question["question"], "answer": reply.message.text}


def history_of(state: TurnState, most_chars: int | None = None) -> list[tuple[str, str]]:
    """The conversation before this turn as (role, text), oldest first.

    With `most_chars` long messages are cut, so that one of them does not hide the rest.
    """
    return [_entry(message, most_chars) for message in messages_before(state)]


def messages_before(state: TurnState) -> list[BaseMessage]:
    """The messages of the conversation before this turn that its prompts show, oldest first."""
    current = f"{request_of(state).request_id}:user"
    return [m for m in state["messages"] if m.id != current and _says(m)]


def request_id_of(message: BaseMessage) -> str:
    """The turn that a message belongs to."""
    return str(message.id).rpartition(":")[0]


FILTERED = "filtered"
"""Marks a message that later prompts leave out, because a content filter stops it."""


def _says(message: BaseMessage) -> bool:
    marks = message.additional_kwargs
    content = message.text or marks.get("photos") or marks.get("files")
    return bool(content) and FILTERED not in marks


ON_MATERIAL = "on_material"
"""Marks a question on what to do with something that came without words."""


def lacks_plan(state: TurnState) -> bool:
    """Whether the planner gave no plan for this turn."""
    return state["routing"].get("rule") == "no_plan"


def last_answer_has_mark(state: TurnState, mark: str) -> bool:
    """Whether the bot's last words before this turn have this mark."""
    answers = [one for one in state["messages"] if isinstance(one, AIMessage)]
    return bool(answers) and mark in answers[-1].additional_kwargs


def was_asked(state: TurnState) -> bool:
    """Whether the bot's last words were a question, which this message may answer."""
    history = history_of(state)
    if not history or history[-1][0] != "assistant":
        return False
    return history[-1][1].rstrip(" \n*_)）」”").endswith(("?", "？"))


def _unread_of(state: TurnState) -> list[str]:
    """Return the kinds of content that came with the message and that no model reads."""
    refusals = (state.get("files") or {}).get("refused", ())
    pages = ["web page"] if any(file.get("is_page") for file in refusals) else []
    return [*input_of(state).unread, *pages]


def conversation_slots(state: TurnState) -> dict[str, Any]:
    """The slots that planning and synthesis prompts have in common."""
    memory = state["memory"]
    preferences = memory.get("preferences", [])
    return {
        "memory": [e for e in memory.get("long_term_entries", []) if e not in preferences],
        "preferences": preferences,
        "conversation_summary": memory.get("conversation_summary", ""),
        "language": state["routing"].get("language", ""),
        "user_language": locale_of(state),
        "web_missing": state["routing"].get("rule") == "no_web",
        "past_turns": memory.get("past_turns", []),
        "past_searched": memory.get("past_searched", False),
        "image_summary": image_summary_of(state),
        "image_answers": state["vision"].get("answers", []),
        "image_count": len(images_of(state) or earlier_images_of(state)),
        "reply_to": reply_to_of(state),
        "forwarded": forwarded_slot(state),
        "unread": _unread_of(state),
        "asked_back": clarification_slot(state),
        "session": "",
        "files": [],
        "files_came": 0,
        "links": [],
    }


NO_CONVERSATION: Mapping[str, Any] = conversation_slots(
    {"user": {"telegram_user_id": 0}, "input": {}, "memory": {}, "routing": {}, "vision": {}}
)
"""The slots of a question that stands alone."""


def _entry(message: BaseMessage, most_chars: int | None) -> tuple[str, str]:
    """A message as prompts show it: forwarded words in a tag below, photos as a mark before all."""

    def cut(text: str) -> str:
        return text if most_chars is None else shorten(text, most_chars)

    if isinstance(message, AIMessage):
        return "assistant", disarm(cut(str(message.text)))
    marks = message.additional_kwargs
    content = str(message.text)
    if "forwarded" in marks:
        source = Forwarded(**marks["forwarded"])
        own = content.removesuffix(_quotation_text(source)).rstrip()
        quotation = tagged("forwarded", cut(source.text), author=source.author)
        content = f"{disarm(cut(own))}\n{quotation}".lstrip()
    else:
        content = disarm(cut(content))
    marker = f'<photos count="{marks["photos"]}"/>' if "photos" in marks else ""
    marker += "".join(
        f'<sent_file name="{as_attribute(name)}"/>' for name in marks.get("files", ())
    )
    return "user", f"{marker} {content}".strip()
