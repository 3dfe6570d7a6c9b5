"""Plans of a turn: intents, questions about the past, and the rules for a model's proposal."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from rich_agent.domain.routing.small_talk import SmallTalk
from rich_agent.domain.text import shorten
from rich_agent.domain.vision import ImageQuestion
from rich_agent.domain.words import WordsState

PastOrder = Literal["nearest", "oldest", "newest"]


@dataclass(frozen=True, slots=True)
class PastQuestion:
    """Which earlier turns are wanted: about `query` ("": about anything), from a span of days.

    `order` "nearest" ranks by the words of `query`; without them it takes turns from all over the
    span. Days are those of `time_zone`, an IANA name, both included.
    """

    query: str = ""
    order: PastOrder = "nearest"
    since: date | None = None
    until: date | None = None
    time_zone: str = "UTC"


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn that left the running conversation, with the foreign words behind its answer."""

    asked_at: datetime
    question: str
    answer: str
    read: Sequence[WordsState] | None = None
    request_id: str = ""


Plan = Literal["direct", "rag", "web", "rag+web"]
WebUse = Literal["never", "if_needed", "now"]
"""Whether the web may be searched for a message: "now" when the answer depends on the present."""

Rule = (
    SmallTalk
    | Literal[
        "about_bot",
        "about_now",
        "documents_first",
        "documents_may_say",
        "documents_wanted",
        "file_read",
        "file_refused",
        "forget_wish",
        "in_group",
        "in_session",
        "session_left",
        "link_ignored",
        "link_kept",
        "link_read",
        "known_word",
        "no_plan",
        "no_web",
        "web_ruled_out",
    ]
)
"""A rule of the product that decided on a turn, or changed what a model planned for it."""

UNJUDGED: frozenset[Rule | None] = frozenset({"known_word", "no_plan"})
"""The rules that route a message without knowing of what kind it is."""

SMALLTALK = "smalltalk_or_short"
GENERAL = "general_question"
ABOUT_BOT = "about_this_bot"
DOCS_REQUIRED = "docs_required"
SEEN_CHARS = 200
"""What a query takes of the answer to a further look."""

MOST_QUERIES = 3
"""Of a compound question: each costs a search, and a place among the passages."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The subject that the registered documents are about, as the planner is told.

    `name` becomes the intent `domain_<name>`.
    """

    name: str
    description: str
    examples: tuple[str, ...] = ()

    @property
    def intent(self) -> str:
        """The intent label of this domain."""
        return f"domain_{self.name}"


@dataclass(frozen=True, slots=True)
class ForgetWish:
    """A user's wish to have something forgotten, as the planner read it.

    `last` is only what they said just before. `what` is a subject in their words; each of `words`
    may show that a text is about it.
    """

    scope: Literal["last", "subject", "everything"] = "subject"
    what: str = ""
    words: tuple[str, ...] = ()

    @property
    def traces(self) -> tuple[str, ...]:
        """By what the subject is looked for; all words of its name together."""
        return (*self.words, self.what)


@dataclass(frozen=True, slots=True)
class Clarification:
    """One question back to the user; `choices`, if any, are the likely answers.

    With `only_choices` nothing else is an answer.
    """

    question: str
    choices: tuple[str, ...] = ()
    only_choices: bool = False


@dataclass(frozen=True, slots=True)
class Routing:
    """The decision on one turn and its reason, in words of the model that made it.

    `query` is the question as it stands alone, which the web is searched for; `queries` are its
    parts when it is a compound one, each of which the documents are searched for. `described` is
    what the question describes instead of naming it, so that a search has to find its name first.
    `web` is what the model says about the web, None when it says nothing: then `plan` counts, and
    nothing widens it. `rule` is the product's rule that decided, or changed the plan; None where
    none did.

    `clarification` is what the user has to be asked first. `is_new_request`: what came instead of
    an answer to such a question is another request. `past` is what the archive of the conversation
    is searched for, None when it is not. `image_question` asks for a further look at the images,
    where their description says too little. `forget` is what the user wants forgotten. `teaches`:
    the message tells something that may be worth remembering. `acts`: it asks for something that
    tools do. `language` is the one that they want to be answered in, as a BCP 47 tag; "" where
    nobody said. `files` are those of the user that it is about, as the planner numbered them, then
    by id; `reads_whole` if every part of them counts, `files_only` if no document is searched
    besides. `links` are pages to be read first. `leaves_session`: the user wants the open guided
    session to end; the rest is then about what else the message asks.
    """

    intent: str
    plan: Plan
    reason: str = ""
    query: str = ""
    queries: tuple[str, ...] = ()
    clarification: Clarification | None = None
    is_new_request: bool = False
    past: PastQuestion | None = None
    image_question: ImageQuestion | None = None
    forget: ForgetWish | None = None
    web: WebUse | None = None
    language: str = ""
    rule: Rule | None = None
    teaches: bool = True
    acts: bool = False
    files: tuple[int, ...] = ()
    reads_whole: bool = False
    files_only: bool = False
    links: tuple[str, ...] = ()
    leaves_session: bool = False
    described: str = ""
    spaces: tuple[int, ...] = ()

    @property
    def may_widen(self) -> bool:
        """Whether the web may be searched where the documents say little."""
        return self.web in {"if_needed", "now"}


def known_intents(domain: Domain) -> tuple[str, ...]:
    """Every intent label that a routing may carry."""
    return (SMALLTALK, GENERAL, domain.intent, ABOUT_BOT, DOCS_REQUIRED)


def complete_routing(
    proposal: Routing, text: str, domain: Domain, *, can_search_web: bool = True
) -> Routing:
    """A model's proposal with the product's own rules applied; `rule` names the one that did.

    An unknown intent becomes `general_question`; questions about the bot are always answered from
    documents; an empty query becomes the text. The web is searched only where the model says so:
    for what depends on the present, even if its plan leaves it out. Without a web search nothing
    is planned for it.
    """
    intent = proposal.intent if proposal.intent in known_intents(domain) else GENERAL
    with_intent = replace(proposal, intent=intent)
    plan, rule = _apply_rules(with_intent, domain, is_now=can_search_web and proposal.web == "now")
    if not can_search_web and "web" in plan:
        plan, rule = ("direct" if plan == "web" else "rag"), "no_web"
    return with_query(
        replace(
            with_intent,
            plan=plan,
            rule=rule,
            reason=proposal.reason.strip(),
            query=_on_one_line(proposal.query) or text.strip(),
            queries=_parts(proposal.queries),
            described=_on_one_line(proposal.described),
        )
    )


def for_group(routing: Routing) -> Routing:
    """The routing of a question in a group: from documents, and alone.

    Nothing is asked back, done, learned or forgotten, nor looked for in what was said before.
    """
    alone = replace(
        routing,
        clarification=None,
        is_new_request=False,
        past=None,
        image_question=None,
        forget=None,
        teaches=False,
        acts=False,
        files=(),
    )
    if routing.plan != "direct" or routing.intent == SMALLTALK:
        return alone
    return with_query(replace(alone, plan="rag", rule="in_group"))


def _apply_rules(proposal: Routing, domain: Domain, *, is_now: bool) -> tuple[Plan, Rule | None]:
    """The plan, and which rule changed the proposed one, None if none did."""
    intent, plan = proposal.intent, proposal.plan
    in_domain, is_general = intent == domain.intent, intent == GENERAL
    has_web = plan in {"web", "rag+web"}
    rules: tuple[tuple[bool, Plan, Rule], ...] = (
        (intent == ABOUT_BOT, "rag", "about_bot"),
        (intent == DOCS_REQUIRED and plan in {"direct", "web"}, "rag", "documents_wanted"),
        (proposal.web == "never" and has_web, "rag", "web_ruled_out"),
        (in_domain and plan == "web", "rag+web", "documents_first"),
        (in_domain and is_now, "rag+web", "about_now"),
        (in_domain and plan == "direct", "rag", "documents_may_say"),
        (is_general and plan == "rag" and is_now, "rag+web", "about_now"),
        (is_general and plan == "direct" and is_now, "web", "about_now"),
    )
    new_plan, rule = next(((to, why) for applies, to, why in rules if applies), (plan, None))
    return (new_plan, rule) if new_plan != plan else (plan, None)


def _parts(queries: Iterable[str]) -> tuple[str, ...]:
    """The parts of a compound question, each once; none when there is but one."""
    by_wording = {_on_one_line(part).casefold(): _on_one_line(part) for part in queries}
    parts = tuple(part for part in by_wording.values() if part)[:MOST_QUERIES]
    return parts if len(parts) > 1 else ()


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def with_query(routing: Routing) -> Routing:
    """The routing, direct when there is nothing to look for (an image without a question)."""
    return routing if routing.query.strip() else replace(routing, plan="direct", queries=())


def with_image_answers(routing: Routing, answers: Sequence[str]) -> Routing:
    """The routing that also looks for what a further look at the images found out."""
    if routing.plan == "direct" or not answers:
        return routing
    image_text = " ".join(shorten(answer, SEEN_CHARS) for answer in answers)
    queries = (*routing.queries, image_text) if routing.queries else ()
    return replace(routing, query=f"{routing.query} {image_text}", queries=queries)
