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
    """A search for earlier turns."""

    query: str = ""
    """The subject, "" for any."""
    order: PastOrder = "nearest"
    """"nearest" ranks by the query; without one it takes turns from the whole span."""
    since: date | None = None
    until: date | None = None
    """The last day, included; `since` is the first."""
    time_zone: str = "UTC"
    """The IANA name of the zone of these days."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """A turn that left the conversation; `read` are the foreign words behind its answer."""

    asked_at: datetime
    question: str
    answer: str
    read: Sequence[WordsState] | None = None
    request_id: str = ""


Plan = Literal["direct", "rag", "web", "rag+web"]
WebUse = Literal["never", "if_needed", "now"]
"""Whether the web may be searched for a message: "now" if the answer depends on the present."""

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
"""A rule of the product that decided on a turn, or changed a model's plan."""

UNJUDGED: frozenset[Rule | None] = frozenset({"known_word", "no_plan"})
"""The rules that route a message whose kind is not known."""

SMALLTALK = "smalltalk_or_short"
GENERAL = "general_question"
ABOUT_BOT = "about_this_bot"
DOCS_REQUIRED = "docs_required"
SEEN_CHARS = 200
"""The most characters of a further look's answer in a query."""

MOST_QUERIES = 3
"""The most parts of a compound query: each costs a search, and a share of the passages."""


@dataclass(frozen=True, slots=True)
class Domain:
    """The subject of the registered documents, for the planner.

    `name` becomes the intent `domain_<name>`.
    """

    name: str
    description: str
    examples: tuple[str, ...] = ()

    @property
    def intent(self) -> str:
        """The intent of questions about this subject."""
        return f"domain_{self.name}"

    def described(self, description: str, examples: tuple[str, ...]) -> "Domain":
        """The domain with this description, unless it has one of its own; so with examples."""
        if self.description:
            return self
        return Domain(self.name, description, self.examples or examples)


@dataclass(frozen=True, slots=True)
class ForgetWish:
    """A user's request to forget, as the planner read it."""

    scope: Literal["last", "subject", "everything"] = "subject"
    """"last" means only what the user said just before."""
    what: str = ""
    """The subject in the user's words."""
    words: tuple[str, ...] = ()
    """Words that show that a text is about the subject."""

    @property
    def traces(self) -> tuple[str, ...]:
        """The texts to search for: each of the words, and the subject as a whole."""
        return (*self.words, self.what)


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question to the user; `choices` are likely answers.

    With `only_choices`, nothing else counts as an answer.
    """

    question: str
    choices: tuple[str, ...] = ()
    only_choices: bool = False


Detail = Literal["clarification", "past", "forget"]
"""A field of a routing that takes a further call of the planner."""


@dataclass(frozen=True, slots=True)
class Routing:
    """The decision how a turn is answered."""

    intent: str
    plan: Plan
    reason: str = ""
    """The reason in the words of the model."""
    query: str = ""
    """The question as it stands alone; the web is searched for it."""
    queries: tuple[str, ...] = ()
    """The parts of a compound question; the documents are searched for each."""
    clarification: Clarification | None = None
    """A question that the user has to answer first."""
    is_new_request: bool = False
    """Whether the awaited answer is another request instead."""
    past: PastQuestion | None = None
    """A search in the archive of the conversation."""
    image_question: ImageQuestion | None = None
    """A question about the images that their description does not answer."""
    forget: ForgetWish | None = None
    """The user's request to forget."""
    web: WebUse | None = None
    """The model's opinion on the web; None leaves it to `plan`, which then is not widened."""
    language: str = ""
    """The language that the user wants to be answered in, a BCP 47 tag, "" if unknown."""
    rule: Rule | None = None
    """The product's rule that decided, or changed the plan; None without one."""
    teaches: bool = True
    """Whether the message says something that may be worth remembering."""
    acts: bool = False
    """Whether the message asks for something that tools do."""
    files: tuple[int, ...] = ()
    """The user's files that the message is about: numbers of the planner, later ids."""
    reads_whole: bool = False
    """Whether every part of these files matters."""
    files_only: bool = False
    """Whether no documents are searched besides the files."""
    links: tuple[str, ...] = ()
    """Pages that have to be read first."""
    leaves_session: bool = False
    """Whether the user wants to end the guided session; other fields concern the rest."""
    described: str = ""
    """A thing that the question describes instead of naming; a search has to find its name."""
    spaces: tuple[int, ...] = ()
    """The spaces that the question names."""
    lists_documents: bool = False
    """Whether the message asks which documents or sources there are."""
    open_details: tuple[Detail, ...] = ()
    """The fields that further calls have yet to fill in."""
    draft: str = ""
    """The plan as the model wrote it, which these calls continue."""

    @property
    def may_widen(self) -> bool:
        """Whether the web may be searched if the documents say little."""
        return self.web in {"if_needed", "now"}


def known_intents(domain: Domain) -> tuple[str, ...]:
    """All intents that a routing may have."""
    return (SMALLTALK, GENERAL, domain.intent, ABOUT_BOT, DOCS_REQUIRED)


def complete_routing(
    proposal: Routing, text: str, domain: Domain, *, can_search_web: bool = True
) -> Routing:
    """A model's proposal after the product's rules; `rule` names the one that applied.

    An unknown intent becomes `general_question`. Questions about the bot are answered from
    documents. An empty query becomes the text. The web is searched only if the model says so; for
    questions that depend on the present, even if its plan leaves it out. Without a web search,
    plans do not have one.
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


def close_details(routing: Routing, text: str) -> Routing:
    """The routing without open details, if the model does not tell them.

    The message stands for the subject of the past and of forgetting: the user sees what there is
    on it before anything is deleted. Nothing is asked.
    """
    details = routing.open_details
    return replace(
        routing,
        past=PastQuestion(routing.query or text.strip()) if "past" in details else routing.past,
        forget=ForgetWish(what=text.strip()) if "forget" in details else routing.forget,
        open_details=(),
        draft="",
    )


def for_group(routing: Routing) -> Routing:
    """The routing of a question in a group: from documents, and nothing else.

    Nothing is asked, done, learned, forgotten, or searched in earlier turns.
    """
    bare_routing = replace(
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
        return bare_routing
    return with_query(replace(bare_routing, plan="rag", rule="in_group"))


def _apply_rules(proposal: Routing, domain: Domain, *, is_now: bool) -> tuple[Plan, Rule | None]:
    """The plan, and the rule that changed the proposed plan, None if no rule did."""
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
    new_plan, rule = next(
        ((rule_plan, rule_name) for applies, rule_plan, rule_name in rules if applies), (plan, None)
    )
    return (new_plan, rule) if new_plan != plan else (plan, None)


def _parts(queries: Iterable[str]) -> tuple[str, ...]:
    """The parts of a compound question, each once; () if there is only one."""
    part_by_wording = {_on_one_line(part).casefold(): _on_one_line(part) for part in queries}
    parts = tuple(part for part in part_by_wording.values() if part)[:MOST_QUERIES]
    return parts if len(parts) > 1 else ()


def _on_one_line(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())


def with_query(routing: Routing) -> Routing:
    """The routing; direct if there is nothing to search for, such as for a lone image."""
    return routing if routing.query.strip() else replace(routing, plan="direct", queries=())


def with_image_answers(routing: Routing, answers: Sequence[str]) -> Routing:
    """The routing whose query includes the answers of a further look at the images."""
    if routing.plan == "direct" or not answers:
        return routing
    image_text = " ".join(shorten(answer, SEEN_CHARS) for answer in answers)
    queries = (*routing.queries, image_text) if routing.queries else ()
    return replace(routing, query=f"{routing.query} {image_text}", queries=queries)
