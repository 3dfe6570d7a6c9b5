"""The one error tree: what went wrong, with the facts; surfaces choose the words a person sees."""

from collections.abc import Sequence
from datetime import datetime

from typing_extensions import override


class RichAgentError(Exception):
    """Any failure that the product knows by name.

    `hint` says in one sentence what the reader can do about it; empty when nothing can be done.
    `phrase` names the sentence for users, where a failure has one of its own.
    """

    hint: str = ""
    phrase: str = ""

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
    """A name that is no setting and looks like one; `meant` are the settings that are like it."""

    def __init__(self, name: str, meant: Sequence[str], *, hint: str) -> None:
        nearest = " or ".join(meant)
        super().__init__(name, "there is no such setting", hint=f"Write {nearest} instead{hint}.")
        self.meant = tuple(meant)


class InvalidSettingsError(RichAgentError):
    """Everything that is wrong with the settings, in the order of their reference page."""

    def __init__(self, problems: Sequence[SettingsError]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = tuple(problems)

    @override
    def explain(self) -> str:
        """Each problem with its hint; more than one are counted first."""
        if len(self.problems) == 1:
            return self.problems[0].explain()
        lines = "\n".join(problem.explain() for problem in self.problems)
        return f"{len(self.problems)} settings are wrong\n{lines}"


class DatabaseUnavailableError(RichAgentError):
    """PostgreSQL cannot be reached, or stores nothing; nothing was lost, try again.

    `is_outage`: it fails everybody, until somebody repairs it; otherwise a single statement failed.
    """

    hint = "Check that PostgreSQL is running and that DATABASE_URL points to it."

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
    """PostgreSQL, or what stands before it, cannot serve this program."""


class StillStartingError(RichAgentError):
    """A process that receives, and does not answer yet."""

    hint = "Wait; it will be ready by itself."


class PortTakenError(RichAgentError):
    """Another process listens where we should."""

    def __init__(self, host: str, port: int) -> None:
        super().__init__(
            f"port {port} on {host} is taken by another program",
            hint="Stop that program, or choose another port (PORT, or --port).",
        )
        self.host = host
        self.port = port


class UpstreamError(RichAgentError):
    """An upstream failed; `service` names it (model, embeddings, telegram, a search engine)."""

    def __init__(self, service: str, message: str, *, hint: str = "") -> None:
        super().__init__(f"{service}: {message}", hint=hint)
        self.service = service


class PassingUpstreamError(UpstreamError):
    """A failure that may pass by itself: the same request may succeed later."""


class UpstreamTimeoutError(PassingUpstreamError):
    """No answer within the deadline of `after_s` seconds."""

    def __init__(self, service: str, after_s: float) -> None:
        super().__init__(service, f"no answer within {after_s:g} s")
        self.after_s = after_s


class UpstreamUnavailableError(PassingUpstreamError):
    """A passing failure: connection refused or reset, 5xx, a stream cut short."""


class OutcomeUnknownError(UpstreamUnavailableError):
    """The connection broke before the answer came: the request may have been carried out."""


class BadGatewayError(OutcomeUnknownError):
    """A 5xx: in all likelihood nothing was done, but nobody can be sure."""


class UpstreamRateLimitedError(PassingUpstreamError):
    """Too many requests; `retry_after_s` is what the upstream asked for, or None."""

    def __init__(self, service: str, retry_after_s: float | None = None) -> None:
        wait = f", retry after {retry_after_s:g} s" if retry_after_s is not None else ""
        super().__init__(service, f"too many requests{wait}")
        self.retry_after_s = retry_after_s


class UpstreamRefusedError(UpstreamError):
    """A lasting refusal (4xx): a wrong key, an unknown model, a request it does not take."""


class TokenRefusedError(UpstreamRefusedError):
    """Telegram does not know the bot's token, for now: it may have been renewed elsewhere."""


class ChatBlockedError(UpstreamRefusedError):
    """The user blocked the bot, or the chat is gone."""


class MessageGoneError(UpstreamRefusedError):
    """The message to be edited does not exist any more."""


class EntitiesRefusedError(UpstreamRefusedError):
    """Telegram does not take a message's entities; its text alone may still be sent."""


class UpdatesConflictError(UpstreamRefusedError):
    """Someone else receives this bot's updates: a webhook or another poller."""


class MalformedOutputError(UpstreamError):
    """The model's structured output does not have the shape that was asked for."""


class DeliveryPostponedError(RichAgentError):
    """An answer is ready and cannot be delivered yet; to be tried again after `retry_after_s`."""

    def __init__(self, retry_after_s: float, reason: str) -> None:
        super().__init__(f"not delivered for {retry_after_s:g} s: {reason}")
        self.retry_after_s = retry_after_s


class TurnHeldError(RichAgentError):
    """A model server takes no requests for longer than is waited in place; again after that."""

    def __init__(self, wait_s: float, reason: str) -> None:
        super().__init__(f"held for {wait_s:g} s: {reason}")
        self.wait_s = wait_s


class LessonLostError(RichAgentError):
    """A user's words were never learned from: no try in days came to an end."""


class BrokenAnswerError(UpstreamUnavailableError):
    """The model's answer broke off or made no sense: half of one is never taken for a whole."""


class EarlyEndError(UpstreamError):
    """A reply that ended before its end, where another try would not end otherwise.

    `reason`: its tokens ran out ("length"), a content filter stopped it or its prompt ("filtered"),
    the model refused, perhaps in `words` of its own ("refused"), or it repeated itself without end
    ("repeated"), with `kept` characters before that.
    """

    def __init__(self, service: str, reason: str, words: str = "", kept: int | None = None) -> None:
        super().__init__(service, f"the reply is not whole ({reason})")
        self.reason, self.words, self.kept = reason, words, kept


class EmptyCompletionError(BrokenAnswerError):
    """The model ended its answer without a word."""


class ImageRefusedError(RichAgentError):
    """An image that is not looked at; `reason` is a word of `ImageRefusal`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class MediaRefusedError(RichAgentError):
    """A medium of which no text is made; the sentence `phrase` settles the matter for its user."""

    def __init__(self, phrase: str, message: str) -> None:
        super().__init__(message)
        self.phrase = phrase


class DailyLimitError(RichAgentError):
    """A user has used all that they may use of something today; nothing was called.

    `resource` is "tokens", "images", "searches", "tool_calls" or "audio_seconds"; `left_s`
    seconds remain until `resets_at`.
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
    """The turn stopped between two nodes, because its process ends; another goes on with it."""

    def __init__(self) -> None:
        super().__init__("the turn stopped at a checkpoint, for another process to go on")


class QuestionClosedError(RichAgentError):
    """An answer to a question of the bot that was answered, given up or has expired."""

    def __init__(self) -> None:
        super().__init__("the question is not open any more")


class QuestionChangedError(RichAgentError):
    """The question was edited while it was answered: its answer is out of date."""


class LaneLostError(RichAgentError):
    """Another worker took this user's lane over; whatever was not finished is theirs to finish."""


class AttemptsSpentError(RichAgentError):
    """An update of some `kind` whose attempts are used up, none of which came to an end."""

    def __init__(self, kind: str) -> None:
        super().__init__("given up: no attempt finished")
        self.kind = kind


class UnknownDeadLetterError(RichAgentError):
    """Updates that are no dead letters: answered, waiting, or never seen."""

    hint = "`rich-agent inbox list` shows the dead letters."

    def __init__(self, update_ids: Sequence[int]) -> None:
        super().__init__(f"no dead letter has the id {', '.join(map(str, update_ids))}")
        self.update_ids = tuple(update_ids)


class UnknownDueWorkError(RichAgentError):
    """Ids that no due work has: it was done, or there never was any."""

    hint = "`rich-agent work list` shows the due work."

    def __init__(self, ids: Sequence[int]) -> None:
        super().__init__(f"no due work has the id {', '.join(map(str, ids))}")
        self.ids = tuple(ids)


class UnknownTokenError(RichAgentError):
    """A token that does not exist or was revoked already."""

    hint = "`rich-agent tokens list` shows the tokens."

    def __init__(self, token_id: int) -> None:
        super().__init__(f"no token that works has the id {token_id}")
        self.token_id = token_id


class TurnNotReplayableError(RichAgentError):
    """The request of a past turn is not kept, so that it cannot be run again."""

    hint = "A turn can be replayed only if it was finished, and until its user sends /forget."

    def __init__(self, request_id: str) -> None:
        super().__init__(f"the question of {request_id} is no longer stored")
        self.request_id = request_id
