"""Separates a model's reasoning from its answer in a stream of pieces of any size.

Only tags at the beginning of an answer mark thinking. A later tag, such as in a code block, is
text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_MESSAGE = ("<|channel|>final", "<|message|>")
HARMONY_CALL = "<|channel|>commentary to="
"""The beginning of a call in OpenAI's harmony format, which is not thinking."""
# Tags that open thinking, and the ones that end it, in order; () if a tag only hides itself.
# Sources: the chat templates of DeepSeek, Qwen, Magistral, Seed-OSS, Kimi, Command A, EXAONE, Gemma
# and Apertus; Open WebUI; OpenAI's harmony format, which gpt-oss writes, with its special tokens
# and without them.
_OPENERS: Mapping[str, tuple[str, ...]] = {
    "<think>": ("</think>",),
    "<thinking>": ("</thinking>",),
    "<thought>": ("</thought>",),
    "<reasoning>": ("</reasoning>",),
    "<reflection>": ("</reflection>",),
    "<seed:think>": ("</seed:think>",),
    "[think]": ("[/think]",),
    "◁think▷": ("◁/think▷",),
    "<|start_thinking|>": ("<|end_thinking|>",),
    "<|begin_of_thought|>": ("<|end_of_thought|>",),
    "<|channel>thought": ("<channel|>",),
    "<|inner_prefix|>": ("<|inner_suffix|>",),
    '<details type="reasoning"': ("</details>",),
    "<|start|>assistant": (),
    "<|im_start|>assistant": (),
    "<|begin_of_text|>": (),
    "<｜begin▁of▁sentence｜>": (),
    "<bos>": (),
    "<s>": (),
    "<|channel|>analysis": _MESSAGE,
    "<|channel|>commentary": _MESSAGE,
    "<|channel|>final": _MESSAGE[1:],
}
_BARE = "analysis"
_BARE_END = "assistantfinal"
_LONE = "lone"
_CLOSERS: Mapping[str, re.Pattern[str]] = {
    **{
        closer: re.compile(re.escape(closer), re.IGNORECASE)
        for closer in (*(tag for closers in _OPENERS.values() for tag in closers), _BARE_END)
    },
    # A call may follow a thought as well.
    _MESSAGE[0]: re.compile(r"<\|channel\|>(?:final|(?=commentary to=))", re.IGNORECASE),
    _LONE: re.compile(
        r"</(?:think|thinking|thought|reasoning|reflection|seed:think)>|\[/think\]|◁/think▷"
        r"|<\|end_thinking\|>|<\|end_of_thought\|>",
        re.IGNORECASE,
    ),
}
_LONGEST_TAG = 32
# The whole tag, or the part of it that has arrived.
_HARMONY_END = re.compile(r"<\|(?:return|end)\|>|<(?:\|(?:r[eturn]{0,5}|e[nd]{0,2})?\|?)?\Z")


@dataclass(slots=True)
class ThinkingFilter:
    """Reads an answer piece by piece, and returns the text for the user.

    `begins_inside`: the server drops the tag that opens the thinking and sends only the closing
        tag. It becomes true when an answer shows this.
    `is_taken_back`: a part of that answer was already passed on, although it was thinking.
    """

    begins_inside: bool = False
    is_taken_back: bool = False
    _thinking: list[str] = field(default_factory=list)
    _answer: list[str] = field(default_factory=list)
    _blanks: list[str] = field(default_factory=list)
    _held: str = ""
    _inside: tuple[str, ...] = ()
    _at_beginning: bool = True
    _watches: bool = True
    _is_harmony: bool = False
    _is_over: bool = False
    _reported_count: int = 0

    def __post_init__(self) -> None:
        if self.begins_inside:
            self._inside, self._watches = (_LONE,), False

    @property
    def thinking(self) -> str:
        """The thinking so far, with its tags."""
        return "".join(self._thinking)

    def new_thinking(self) -> str:
        """The thinking since the last call, so that a long thought is read only once."""
        new_parts, self._reported_count = (
            self._thinking[self._reported_count :],
            len(self._thinking),
        )
        return "".join(new_parts)

    def feed(self, piece: str) -> str:
        """Read a piece; return the text for the user in it and in the text held back before."""
        self._held += piece
        text = ""
        while (step := self._step()) is not None:
            text = "" if self.is_taken_back and not self._answer else text
            text += step
            self._answer += [step] if step else []
        return text

    def finish(self, *, was_cut: bool = False) -> str:
        """The rest of the text; "" if the answer ends inside a thought."""
        remaining_text, self._held = self._with_blanks(), ""
        if self._inside == (_LONE,) and not was_cut:
            # The answer closed no thought, so all of it was text.
            self.begins_inside, self._inside = False, ()
            remaining_text, self._thinking = self.thinking + remaining_text, []
        if self._inside:
            self._thinking.append(remaining_text)
            return ""
        return "" if self._is_over else remaining_text

    def _step(self) -> str | None:
        """The text to pass on now, "" if another step has to follow, None to wait for more."""
        if not self._held or self._is_over:
            return None
        if self._inside:
            return self._think()
        return self._begin() if self._at_beginning else self._speak()

    def _think(self) -> str | None:
        closer = _CLOSERS[self._inside[0]].search(self._held)
        end = closer.end() if closer else max(0, len(self._held) - _LONGEST_TAG)
        self._thinking.append(self._held[:end])
        self._held = self._held[end:]
        if closer is None:
            return None
        self._inside = self._inside[1:]
        if closer[0].endswith("|>") and self._held.startswith("commentary"):
            self._inside, self._held = (), f"{self._thinking.pop()[closer.start() :]}{self._held}"
        return ""

    def _begin(self) -> str | None:
        """Decide whether a thought or text begins here."""
        start = self._held.lstrip()
        self._blanks.append(self._held[: len(self._held) - len(start)])
        self._held = start
        if not start:
            return None
        beginning = start[:_LONGEST_TAG].lower()
        is_call = beginning[: len(HARMONY_CALL)] == HARMONY_CALL[: len(beginning)]
        is_bare = beginning.startswith(_BARE) and start[len(_BARE) :][:1].isupper()
        opener = _BARE if is_bare else next(filter(beginning.startswith, _OPENERS), "")
        if opener and not is_call:
            self._inside = (_BARE_END,) if is_bare else _OPENERS[opener]
            self._is_harmony = self._is_harmony or "|channel|" in opener
            if self._inside:
                self._thinking.append(start[: len(opener)])
                self._watches = False
            self._held, self._blanks = start[len(opener) :], []
            return ""
        if any(
            known_start.startswith(beginning) for known_start in (*_OPENERS, _BARE, HARMONY_CALL)
        ):
            return None
        self._at_beginning = False
        self._held = start if self._thinking else self._with_blanks()
        self._blanks = []
        return ""

    def _with_blanks(self) -> str:
        """The held-back text with the blanks before it."""
        return "".join([*self._blanks, self._held])

    def _speak(self) -> str | None:
        if self._watches and (answer_text := self._behind_lone_closer()) is not None:
            self.is_taken_back = any(map(str.strip, self._answer))
            self.begins_inside, self._watches, self._at_beginning = True, False, True
            self._thinking = [*self._answer, self._held[: len(self._held) - len(answer_text)]]
            self._answer, self._held = [], answer_text
            return ""
        text, self._held = self._held, ""
        if self._is_harmony and (mark := _HARMONY_END.search(text)):
            text, self._held = text[: mark.start()], mark[0]
            self._is_over = mark[0].endswith("|>")
        return text or None

    def _behind_lone_closer(self) -> str | None:
        """The text after an unopened closing tag; None without such a tag, or if it is in code."""
        tail = "".join(self._answer[-_LONGEST_TAG:])[-_LONGEST_TAG:]
        closer = _CLOSERS[_LONE].search(tail + self._held)
        if closer is None:
            return None
        following_text = (tail + self._held)[closer.end() :]
        text = "".join(self._answer) + self._held
        preceding_text = text[: len(text) - len(following_text)]
        line = preceding_text[preceding_text.rfind("\n") + 1 :]
        in_code = preceding_text.count("```") % 2 or line.count("`") % 2
        is_paired = (
            closer[0].replace("/", "").replace("end_", "start_").lower() in preceding_text.lower()
        )
        self._watches = False
        return None if in_code or is_paired else following_text


def without_thinking(text: str, *, was_cut: bool = False) -> str:
    """A complete answer without the model's thinking."""
    reading = ThinkingFilter()
    return reading.feed(text) + reading.finish(was_cut=was_cut)
