"""Typed views of the state that several nodes share."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage

from rich_agent.domain.languages import MOST_OBSERVED, locale_of_message, locale_of_tag
from rich_agent.domain.message import Forwarded, IncomingMessage, Photo, SentFile
from rich_agent.domain.persona import Persona
from rich_agent.domain.retrieval.passage import Passage
from rich_agent.domain.rights import Reader
from rich_agent.domain.routing.plan import SMALLTALK
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
    """Whether the message exceeds the limit of its guided session, and only gets a notice."""
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
    """The user's weekday, date, time and time zone for a prompt, in English."""
    zone = zone_of(state)
    is_known = bool(request_of(state).message.user.time_zone)
    zone_text = (
        f"in {zone}"
        if is_known
        else "UTC (the user's time zone is not known: write UTC behind a time)"
    )
    return f"{local_of(now, zone):%A, %Y-%m-%d %H:%M} {zone_text}"


def zone_of(state: TurnState) -> str:
    """The user's time zone, UTC if it is not known."""
    return zone_named(request_of(state).message.user.time_zone) or UTC_ZONE


def message_locale(language: str, state: TurnState) -> str | None:
    """The locale of the user's message; `language` is the planner's guess, a BCP 47 tag."""
    code = request_of(state).message.user.language_code or ""
    return locale_of_message(question_of(state), language, locale_of_tag(code))


def recent_locales(language: str, state: TurnState) -> list[str]:
    """The known locales of the user's last messages, the present one last.

    `language` is the planner's guess for the present message, a BCP 47 tag.
    """
    earlier_locales = state.get("written_in", "").split()
    locale = message_locale(language, state)
    return [*earlier_locales, locale][-MOST_OBSERVED:] if locale else earlier_locales


def is_in_group(state: TurnState) -> bool:
    """Whether the user asked in a group, where the turn knows nothing of its user."""
    return request_of(state).audience != "user"


def reader_of(state: TurnState) -> Reader:
    """The reader whose rights the turn has."""
    return request_of(state).reader


def question_of(state: TurnState) -> str:
    """The user's own text; "" for a photo without a caption, and for a forwarded message."""
    return input_of(state).text


def may_ask(state: TurnState) -> bool:
    """Whether the message may ask something that documents or the web could answer.

    Forwarded words alone, small talk and requests to do something do not ask. If such a request
    also has a question, the answer itself says what it lacks.
    """
    return bool(question_of(state)) and not is_no_question(state)


def is_no_question(state: TurnState) -> bool:
    """Whether the message is planned as small talk, or as a request to do something."""
    routing = state["routing"]
    return routing["intent"] == SMALLTALK or bool(routing.get("acts"))


def words_of(state: TurnState) -> str:
    """The text that the turn is about: the user's own, else the text that they forwarded."""
    return input_of(state).words()


def conversation_text(message: IncomingMessage) -> str:
    """The user's text as the conversation keeps it, with forwarded text marked."""
    quotation = _quotation_text(message.forwarded) if message.forwarded else ""
    return "\n\n".join(filter(None, (message.text, quotation)))


def _quotation_text(source: Forwarded) -> str:
    """A forwarded text below a line that marks it."""
    author = f" from {source.author}" if source.author else ""
    return f"[Forwarded message{author}]\n{source.text}".rstrip()


def is_comment(state: TurnState) -> bool:
    """Whether the user wrote something about a message that they forwarded."""
    return bool(question_of(state) and input_of(state).forwarded)


def message_of(message: IncomingMessage, request_id: str) -> HumanMessage:
    """The user's message for the conversation, with the marks from `message_marks`."""
    quotation = asdict(message.forwarded) if message.forwarded else None
    file_names = [file.name for file in message.files]
    marks = message_marks(quotation, len(images_in(message)), file_names)
    return HumanMessage(
        conversation_text(message), id=f"{request_id}:user", additional_kwargs=marks
    )


def message_marks(
    quotation: Mapping[str, Any] | None, photos: int, files: Sequence[str] = ()
) -> dict[str, Any]:
    """The facts about a message, besides its text, that the prompts of later turns need."""
    marks = {"forwarded": quotation, "photos": photos, "files": list(files)}
    return {mark_name: mark_value for mark_name, mark_value in marks.items() if mark_value}


def forwarded_slot(state: TurnState) -> dict[str, str] | None:
    """The forwarded text and its author as prompts show them, None without one."""
    source = input_of(state).forwarded
    return asdict(source) if source else None


def images_of(state: TurnState) -> list[Photo]:
    """The images of the message, then of the message it replies to; each content once."""
    return images_in(input_of(state))


def images_in(message: IncomingMessage) -> list[Photo]:
    """See `images_of`."""
    images = [*message.photos, *(message.reply.photos if message.reply else ())]
    return list({image.sha256: image for image in images}.values())


def files_of(state: TurnState) -> list[SentFile]:
    """The files of the message, then of the message it replies to; each once."""
    message = input_of(state)
    files = [*message.files, *(message.reply.files if message.reply else ())]
    return list({file.file_id: file for file in files}.values())


def is_unanswered(state: TurnState) -> bool:
    """Whether the bot found nothing, or nothing that supports an answer."""
    checks = state["answer"].get("debug", {})
    is_empty = state["routing"]["plan"] != "direct" and not state["rag"].get("retrieved_chunks")
    return bool(checks.get("refused") or checks.get("found_nothing") or is_empty)


def acting_of(state: TurnState) -> ActingState:
    """The calls made in this turn, {} before the first."""
    return state.get("acting") or {}


def unseen_of(state: TurnState) -> str:
    """The reason why none of the turn's images was looked at; "" if any was, or without images."""
    vision = state["vision"]
    return "" if vision.get("summary") else vision.get("limit", "")


def earlier_images_of(state: TurnState) -> list[Photo]:
    """The last images of earlier turns, for a turn that brought none; [] otherwise."""
    return [] if images_of(state) else last_images_of(state)


def rests_on_images(state: TurnState) -> bool:
    """Whether the answer may say what images show."""
    further_look_keys = {"answers", "look_error"} & set(state["vision"])
    return bool(images_of(state) and not unseen_of(state)) or bool(further_look_keys)


def passages_of(state: TurnState) -> list[Passage]:
    """The passages that the turn found so far, in the order of their numbers."""
    return [Passage.from_state(chunk) for chunk in state["rag"].get("retrieved_chunks", ())]


def further_queries(state: TurnState) -> list[str]:
    """The queries of all rounds after the first, in order."""
    return [
        query
        for search_round in state["rag"].get("rounds", ())
        for query in search_round["queries"]
    ]


def all_queries(state: TurnState) -> list[str]:
    """All distinct queries to the documents: the first round's, then the later rounds'."""
    rag = state["rag"]
    first_queries = rag.get("queries") or [rag.get("query", "")]
    return list(dict.fromkeys([*first_queries, *further_queries(state)]))


_NOT_STORED = frozenset({"thread_id", "request_id", "revision"})


def kept_request(state: TurnState) -> dict[str, Any]:
    """The request for the transcript, without empty fields and separately stored fields.

    Each photo has its hash, so that the turn can be replayed without fetching it.
    """
    message, full_message = request_of(state).message, input_of(state)
    images = [*full_message.photos, *(full_message.reply.photos if full_message.reply else ())]
    image_by_id = {image.file_id: image for image in images}
    reply = message.reply
    hashed_message = replace(
        message,
        photos=_with_hashes(message.photos, image_by_id),
        reply=reply and replace(reply, photos=_with_hashes(reply.photos, image_by_id)),
    )
    fields = {
        **request_with(state, hashed_message),
        "text": full_message.text if full_message.text != conversation_text(full_message) else "",
        "fresh_from": state.get("fresh_from", 0),
    }
    return {
        field_name: field_value
        for field_name, field_value in fields.items()
        if field_value and field_name not in _NOT_STORED
    }


def _with_hashes(photos: Iterable[Photo], image_by_id: Mapping[str, Photo]) -> tuple[Photo, ...]:
    """The photos, with the hashes of the images with the same id."""
    return tuple(
        replace(photo, sha256=image.sha256, size_bytes=image.size_bytes)
        if (image := image_by_id.get(photo.file_id))
        else photo
        for photo in photos
    )


def persona_of(state: TurnState) -> Persona | None:
    """The persona of the turn, None without one."""
    persona = Persona.from_state(state.get("persona") or {})
    return persona if persona.to_state() else None


def answer_persona_of(state: TurnState) -> Persona | None:
    """Another persona for the turn's answer, None without one."""
    persona = (state.get("persona") or {}).get("of_answer")
    return Persona.from_state(persona) if persona else None


def image_summary_of(state: TurnState) -> str:
    """The summary of the turn's images as a prompt shows it, "" without one."""
    summary = state["vision"].get("summary")
    return ImageSummary.from_json(summary).to_text() if summary else ""


def photo_of(state: TurnState) -> list[Passage]:
    """The known facts about the images as one citable passage, [] without any."""
    answers = [image_answer["answer"] for image_answer in state["vision"].get("answers", ())]
    content = "\n".join(filter(None, [image_summary_of(state), *answers]))
    if not content:
        return []
    return [Passage("photo", "photo", content, "", say(locale_of(state), "your-photo"))]


def reply_to_of(state: TurnState) -> dict[str, str] | None:
    """The message replied to as prompts show it: its text, its author and the quoted part."""
    reply = input_of(state).reply
    return {"text": reply.text, "author": reply.author, "quote": reply.quote} if reply else None


def clarification_slot(state: TurnState) -> dict[str, str] | None:
    """The question that was asked and its answer as prompts show them; None without both."""
    question, reply = state.get("clarification") or {}, reply_of(state)
    if question.get("status") != "answered" or reply is None:
        return None
    return {"question": question["question"], "answer": reply.message.text}


def messages_before(state: TurnState) -> list[BaseMessage]:
    """The messages before this turn that its prompts show, oldest first."""
    current_id = f"{request_of(state).request_id}:user"
    return [message for message in state["messages"] if message.id != current_id and _says(message)]


def request_id_of(message: BaseMessage) -> str:
    """The id of the turn that a message belongs to."""
    return str(message.id).rpartition(":")[0]


FILTERED = "filtered"
"""Marks a message that later prompts leave out, because a content filter rejects it."""


def _says(message: BaseMessage) -> bool:
    """Whether the message has any content for a prompt."""
    marks = message.additional_kwargs
    content = message.text or marks.get("photos") or marks.get("files")
    return bool(content) and FILTERED not in marks


ON_MATERIAL = "on_material"
"""Marks a question what to do with something that came without words."""


def lacks_plan(state: TurnState) -> bool:
    """Whether the planner gave no plan for this turn."""
    return state["routing"].get("rule") == "no_plan"


def last_answer_has_mark(state: TurnState, mark: str) -> bool:
    """Whether the bot's last message before this turn has this mark."""
    answers = [message for message in state["messages"] if isinstance(message, AIMessage)]
    return bool(answers) and mark in answers[-1].additional_kwargs


def was_asked(state: TurnState) -> bool:
    """Whether the bot's last message was a question, which this message may answer."""
    messages = messages_before(state)
    if not messages or not isinstance(messages[-1], AIMessage):
        return False
    _, text = entry_of(messages[-1])
    return text.rstrip(" \n*_)）」”").endswith(("?", "？"))


def _unread_of(state: TurnState) -> list[str]:
    """The kinds of content in the message that no model reads."""
    refusals = (state.get("files") or {}).get("refused", ())
    pages = ["web page"] if any(file.get("is_page") for file in refusals) else []
    return [*input_of(state).unread, *pages]


def conversation_slots(state: TurnState) -> dict[str, Any]:
    """The slots that prompts for planning and for answers have in common."""
    memory = state["memory"]
    preferences = memory.get("preferences", [])
    return {
        "memory": [
            memory_entry
            for memory_entry in memory.get("long_term_entries", [])
            if memory_entry not in preferences
        ],
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
"""The slots of a question without any conversation."""


def entry_of(
    message: BaseMessage, cut: Callable[[Mapping[str, str]], Mapping[str, str]] | None = None
) -> tuple[str, str]:
    """A message as (role, text), the way prompts show it; `cut` shortens its disarmed texts.

    Forwarded text follows in a tag; marks for photos and files stand first.
    """
    marks = message.additional_kwargs
    source = Forwarded(**marks["forwarded"]) if "forwarded" in marks else None
    content = str(message.text)
    if source:
        content = content.removesuffix(_quotation_text(source)).rstrip()
    texts: Mapping[str, str] = {
        "own": disarm(content),
        "forwarded": disarm(source.text) if source else "",
    }
    texts = cut(texts) if cut else texts
    # A cut within a word may have made the name of a tag.
    content = disarm(texts["own"])
    if isinstance(message, AIMessage):
        return "assistant", content
    if source:
        quotation = tagged("forwarded", texts["forwarded"], author=source.author)
        content = f"{content}\n{quotation}".lstrip()
    markers = f'<photos count="{marks["photos"]}"/>' if "photos" in marks else ""
    markers += "".join(
        f'<sent_file name="{as_attribute(name)}"/>' for name in marks.get("files", ())
    )
    return "user", f"{markers} {content}".strip()
