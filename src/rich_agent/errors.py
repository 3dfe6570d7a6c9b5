"""The tree of errors. An error carries facts; surfaces choose the words that a person reads."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from typing_extensions import override


def place_in(url: str) -> str | None:
    """Host and any port of an address, never its user name and password; None if unreadable.

    A password in which a `/`, `?` or `#` stands unencoded makes an address unreadable: its first
    part would be taken for the port.
    """
    try:
        parts = urlsplit(url if "//" in url else f"//{url}")
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    behind = f"{parts.path}{parts.query}{parts.fragment}"
    if not host or ("@" in behind and ":" in parts.netloc):
        return None
    name = f"[{host}]" if ":" in host else host
    return name if port is None else f"{name}:{port}"


class Target(NamedTuple):
    """The destination of a call: its kind, such as "model server", and its address or name."""

    kind: str
    address: str

    @classmethod
    def at(cls, kind: str, url: str) -> "Target":
        """The target at an address, of which host and port are told, and never a password."""
        return cls(kind, place_in(url) or "at an unreadable address")

    @override
    def __str__(self) -> str:
        return f"{self.kind} {self.address}"


class RichAgentError(Exception):
    """Any failure that the product knows by name."""

    hint: str = ""
    """A sentence on what the reader can do about the failure; "" if nothing can be done."""
    phrase: str = ""
    """The name of the sentence for users; "" if the failure has no sentence of its own."""
    target: Target | None = None
    """The destination that could not be reached; None if that was not the failure."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        if hint:
            self.hint = hint

    def explain(self) -> str:
        """The message, followed by its hint on a line of its own."""
        return f"{self}\n  → {self.hint}" if self.hint else str(self)


class SettingsError(RichAgentError):
    """A setting is missing or malformed; `name` is the environment variable."""

    def __init__(self, name: str, problem: str, *, hint: str) -> None:
        super().__init__(f"{name}: {problem}", hint=hint)
        self.name = name


class UnknownSettingError(SettingsError):
    """A name that resembles the settings `meant`, and is no setting itself."""

    def __init__(self, name: str, meant: Sequence[str], *, hint: str) -> None:
        nearest = " or ".join(meant)
        super().__init__(name, "there is no such setting", hint=f"Write {nearest} instead{hint}.")
        self.meant = tuple(meant)


class InvalidSettingsError(RichAgentError):
    """All problems of the settings, in the order of the settings' reference page."""

    def __init__(self, problems: Sequence[SettingsError]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)

    @override
    def explain(self) -> str:
        """The problems, each with its hint; before several problems, a line with their number."""
        if len(self.problems) == 1:
            return self.problems[0].explain()
        problem_lines = "\n".join(problem.explain() for problem in self.problems)
        return f"{len(self.problems)} settings are wrong\n{problem_lines}"


class DatabaseUnavailableError(RichAgentError):
    """PostgreSQL cannot be reached, or cannot store. No data was lost; try again.

    If `is_outage`, every user is affected until the operator repairs the database. Otherwise a
    single statement failed.
    """

    hint = (
        "Check that PostgreSQL is running, and that the host, the user, the password and the name "
        "of the database in DATABASE_URL are right."
    )

    def __init__(self, message: str, *, hint: str = "", is_outage: bool = True) -> None:
        super().__init__(message, hint=hint)
        self.is_outage = is_outage


class StandbyError(DatabaseUnavailableError):
    """PostgreSQL is a standby, which refuses every write."""

    hint = (
        "Give the address of the primary. One address finds it after a failover too: "
        "postgresql://…@ONE,OTHER/NAME?target_session_attrs=read-write"
    )


class SchemaError(RichAgentError):
    """The tables are missing, older or newer than this program."""

    hint = "Run `rich-agent migrate` with a role that may create tables."


class UnfitServerError(RichAgentError):
    """PostgreSQL, or a pooler in front of it, cannot serve this program."""


class StillStartingError(RichAgentError):
    """The process already receives messages, but does not answer yet."""

    hint = "Wait; it will be ready by itself."


class PortTakenError(RichAgentError):
    """Another process listens on the port of this one."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"port {port} on {host} is taken by another program",
            hint="Stop that program, or choose another port: PORT, or --port of `demo` and "
            "`worker`.",
        )
        self.host = host
        self.port = port


class UpstreamError(RichAgentError):
    """The upstream `service` failed: model, embeddings, telegram, or a search engine."""

    def __init__(self, service: str, message: str, *, hint: str = "") -> None:
        super().__init__(f"{service}: {message}", hint=hint)
        self.service = service


class PassingUpstreamError(UpstreamError):
    """A temporary failure: the same request may succeed later."""


class UpstreamTimeoutError(PassingUpstreamError):
    """No answer within the deadline of `after_s` seconds."""

    def __init__(self, service: str, after_s: float) -> None:
        super().__init__(service, f"no answer within {after_s:g} s")
        self.after_s = after_s


class UpstreamUnavailableError(PassingUpstreamError):
    """A temporary failure: connection refused or reset, 5xx, a stream cut short."""


class OutcomeUnknownError(UpstreamUnavailableError):
    """The connection broke before the answer came. The request may have been carried out."""


class BadGatewayError(OutcomeUnknownError):
    """A 5xx. The request was probably not carried out, but that is not certain."""


class UpstreamRateLimitedError(PassingUpstreamError):
    """Too many requests. `retry_after_s` is the upstream's Retry-After, None if it gave none."""

    def __init__(self, service: str, retry_after_s: float | None = None) -> None:
        wait = f", retry after {retry_after_s:g} s" if retry_after_s is not None else ""
        super().__init__(service, f"too many requests{wait}")
        self.retry_after_s = retry_after_s


class UpstreamRefusedError(UpstreamError):
    """A permanent refusal (4xx): a wrong key, an unknown model, a request that is not accepted."""


class TokenRefusedError(UpstreamRefusedError):
    """Telegram does not know the bot's token. It may know the token again later."""


class ChatBlockedError(UpstreamRefusedError):
    """The user blocked the bot, or the chat is gone."""


class MessageGoneError(UpstreamRefusedError):
    """The message to be edited does not exist any more."""


class WidgetOutgrownError(MessageGoneError):
    """A widget cannot show what it has to; it was deleted or says that it was replaced."""


class EntitiesRefusedError(UpstreamRefusedError):
    """Telegram refuses a message's entities. The text without them may still be sent."""


class UpdatesConflictError(UpstreamRefusedError):
    """Another program receives this bot's updates, by a webhook or by polling."""

    hint = "Stop the other program, or give this one a bot of its own."


class MalformedOutputError(UpstreamError):
    """The model's structured output does not have the requested shape."""


class DeliveryPostponedError(RichAgentError):
    """A finished answer cannot be delivered yet. Deliver it after `retry_after_s` seconds."""

    def __init__(self, retry_after_s: float, reason: str) -> None:
        super().__init__(f"not delivered for {retry_after_s:g} s: {reason}")
        self.retry_after_s = retry_after_s


class TurnHeldError(RichAgentError):
    """A model server accepts no requests for now. Try the turn again after `wait_s` seconds."""

    def __init__(self, wait_s: float, reason: str) -> None:
        super().__init__(f"held for {wait_s:g} s: {reason}")
        self.wait_s = wait_s


class FeatureMissingError(RichAgentError):
    """No feature of this process has work of the kind `kind`. Another process may have one."""

    hint = "Switch the feature on or repair it, then run `rich-agent inbox replay`."

    def __init__(self, kind: str) -> None:
        super().__init__(f"no feature of this process does work of the kind {kind}")


class LessonLostError(RichAgentError):
    """The memory could not learn from a user's words, and tries no more."""


class BrokenAnswerError(UpstreamUnavailableError):
    """The model's answer broke off. Half an answer is never used as a whole one."""


class EarlyEndError(UpstreamError):
    """An incomplete reply that another try would not complete.

    `reason` is one of:

    - "length": the reply used up its tokens.
    - "filtered": a content filter stopped the reply or the prompt.
    - "refused": the model refused; `words` are its refusal, if it gave one.
    - "repeated": the reply repeats itself without end. `kept` is the number of characters before
      the repetition, None if they are not kept.
    """

    def __init__(self, service: str, reason: str, words: str = "", kept: int | None = None) -> None:
        super().__init__(service, f"the reply is not whole ({reason})")
        self.reason, self.words, self.kept = reason, words, kept


class EmptyCompletionError(BrokenAnswerError):
    """The model's answer is empty."""


class ImageRefusedError(RichAgentError):
    """An image that the bot does not look at; `reason` is one of `ImageRefusal`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class MediaRefusedError(RichAgentError):
    """A medium that is not turned into text. The sentence `phrase` tells its user why."""

    def __init__(self, phrase: str, message: str) -> None:
        super().__init__(message)
        self.phrase = phrase


class DailyLimitError(RichAgentError):
    """A user has reached a daily limit; the call was not made.

    `resource` is "tokens", "images", "searches", "tool_calls" or "audio_seconds". The limit is
    reset at `resets_at`, in `left_s` seconds.
    """

    hint = (
        "DAILY_TOKENS, DAILY_IMAGES, DAILY_SEARCHES, DAILY_TOOL_CALLS and DAILY_AUDIO_SECONDS set "
        "the limits; ADMIN_USERS have none."
    )

    def __init__(self, resource: str, limit: int, resets_at: datetime, left_s: float) -> None:
        super().__init__(
            f"the limit of {limit:,} {resource} a day is reached, until {resets_at:%Y-%m-%d %H:%M} "
            "UTC"
        )
        self.resource = resource
        self.limit = limit
        self.resets_at = resets_at
        self.left_s = left_s


class TurnDrainedError(RichAgentError):
    """The turn stopped between two nodes: its process ends, and another continues the turn."""

    def __init__(self) -> None:
        super().__init__("the turn stopped at a checkpoint, for another process to go on")


class QuestionClosedError(RichAgentError):
    """The bot's question is no longer open: it was answered or given up, or has expired."""

    def __init__(self) -> None:
        super().__init__("the question is not open any more")


class QuestionChangedError(RichAgentError):
    """The user edited the question during the turn, so the answer is out of date."""


class LaneLostError(RichAgentError):
    """Another worker has taken over this user's lane, and finishes its work."""


class AttemptsSpentError(RichAgentError):
    """All attempts at an update of this `kind` are used up; none of them finished."""

    def __init__(self, kind: str) -> None:
        super().__init__("given up: no attempt finished")
        self.kind = kind


class UnknownDeadLetterError(RichAgentError):
    """The ids of updates that are no dead letters: they were answered, wait, or do not exist."""

    hint = "`rich-agent inbox list` shows the dead letters."

    def __init__(self, update_ids: Sequence[int]) -> None:
        super().__init__(f"no dead letter has the id {', '.join(map(str, update_ids))}")
        self.update_ids = tuple(update_ids)


class UnknownDueWorkError(RichAgentError):
    """The ids belong to no due work: it is done, or never existed."""

    hint = "`rich-agent work list` shows the due work."

    def __init__(self, ids: Sequence[int]) -> None:
        super().__init__(f"no due work has the id {', '.join(map(str, ids))}")
        self.ids = tuple(ids)


class TurnNotReplayableError(RichAgentError):
    """The past turn cannot be run again, because its request is no longer stored."""

    hint = "A turn can be replayed only if it was finished, and until its user sends /forget."

    def __init__(self, request_id: str) -> None:
        super().__init__(f"the question of {request_id} is no longer stored")
        self.request_id = request_id
