"""Removes the special tokens and tags of chat templates from an answer, piece by piece.

A server that does not know a model's template passes on its special tokens, and its tool calls as
text. A small model copies the tags of its prompt. Inside code marks, all of them are kept, because
an answer may be about them.
"""

import re
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from rich_agent.upstreams.servers.reasoning import HARMONY_CALL

_STEP = 400
_MOST_CHARS = 50_000
"""A longer call is cut; the arguments of the product's tools are much shorter."""
_MOST_SECTIONS = 100
_LOOK_BACK = 80
_LONGEST_ROLE = 9
# A run of ticks, a line end, and the first character of a tag.
_SIGN = re.compile(r"(?P<ticks>`{1,40})|\n|(?P<tag>[<\[])")
_FENCE = re.compile(r"[ \t]{0,12}(`{3,40}|~{3,40})")
# Text that further characters may turn into a sign, or a token at the end of the text.
_UNDECIDED_FENCE = re.compile(r"[ \t]{0,12}(?:`{0,40}|~{0,40})\Z")
_UNDECIDED = re.compile(r"(?:`{1,40}|<[^<>\[\]\n]{0,64}>?\s{0,4}|\[[A-Z/_]{0,14})\Z")
# Special tokens: in the bars of OpenAI, Qwen and Llama 3, those of DeepSeek, Gemma's half bars, and
# without bars as in Llama 2, Mistral, Gemma, GLM, Hunyuan and T5.
# Sources: the chat templates of these models; the parsers of llama.cpp and vLLM.
_TOKEN = re.compile(
    r"<[|｜](?P<name>/?[A-Za-z][\w▁:./-]{1,48})[|｜]?>|<[a-z_]{3,40}[|｜]>"
    r"|<(?:bos|eos|pad|unk|sop|eop|(?:start|end)_of_(?:turn|image)|/?answer|unused\d{1,4})>"
    r"|\[(?:/?INST|gMASK|/?TOOL_RESULTS)\]|<</?SYS>>|</?s>"
)
_PROMPT_TAG = re.compile(r"</?(?P<name>[A-Za-z_]{1,30})(?: [^<>\n]{1,64})?/?>")
_TURN_STARTS = frozenset(
    {"im_start", "start_header_id", "header_start", "start_of_role", "start", "turn"}
)
_ROLE = re.compile(r"(assistant|model|user|system|tool|ipython|developer|human|bot)\b:?[ \t]*+\n?")
_OTHER_ROLES = frozenset({"user", "system", "tool", "ipython", "developer", "human"})
_CALLING = re.compile(
    r"(?:tool|function)[_▁]?calls?|start_action|action_start|python_(?:tag|start)"
    r"|(?:tool|function)[_▁]?(?:responses?|results?|outputs?)",
    re.IGNORECASE,
)
_NO_OPENER = re.compile(r"\A/|(?:[_▁]|\A)end(?:[_▁]|\Z)|[_▁]sep\Z|argument", re.IGNORECASE)
# Sources: as above; Hermes, Qwen, GLM, Seed-OSS, MiniMax, Nemotron, Llama 3, Mistral, DeepSeek 3.2.
_SECTION = re.compile(
    r"<(?P<xml>(?:[a-z]{1,12}:)?(?:tool|function)_?(?:calls?|responses?|results?))>"
    r"|<(?P<function>function)=[\w.-]{1,64}>|<(?P<invoke>invoke) name=[^<>\n]{1,64}>"
    r"|<(?P<dsml>[|｜]DSML[|｜]\w{1,40})>|(?P<open>\[TOOL_CALLS?\])"
    rf"|(?P<harmony>{re.escape(HARMONY_CALL)})",
    re.IGNORECASE,
)
# The text after the tag of a call: JSON, another tag, or a name right before its arguments.
_BODY = re.compile(
    r"\s{0,8}(?:[{\[]|<(?!/)|\Z|call:|[\w.-]{1,64}(?:[({\[<]|\s{0,8}<[|｜]|\n\s{0,8}[<{`]|\n?\Z))"
)
_BODY_CHARS = 100
"""More characters than are needed to see that a section is not a call."""
_TAGGED = re.compile(r"<(?:function=|invoke name=|arg_key>)")
_TAG = re.compile(r"<[^<>\n]{1,72}>|\[(?:TOOL_CALLS?|ARGS)\]|`++")
_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*+"?|[\[{(]|[\]})]', re.DOTALL)
_ENDS = (("begin", "end"), ("start", "end"), ("BEGIN", "END"), ("START", "END"))


def _closer_of_token(token: str, name: str) -> str:
    """The closing token of an opening one: `end` for `begin`, a slash, or the other half bar."""
    for start, end in _ENDS:
        if start in name:
            return token.replace(start, end)
    if token[-2] not in "|｜":
        return f"<{name}{token[1]}>"
    return f"{token[:2]}/{token[2:]}"


def _is_call_to_its_end(body: str) -> bool:
    """Whether a body is only a call, possibly truncated, with no text after it."""
    if _TAGGED.search(body) or not body.strip():
        return True
    depth, last_bracket_end, body = 0, 0, _TAG.sub("", body)
    for bracket in _BRACKET.finditer(body):
        depth += (bracket[0] in "[{(") - (bracket[0] in "]})")
        last_bracket_end = bracket.end()
    return last_bracket_end > 0 and (depth > 0 or not body[last_bracket_end:].strip())


def _closer_of_section(opener: re.Match[str]) -> str:
    if opener["open"]:
        return ""
    if opener["harmony"]:
        return "<|call|>"
    return f"</{opener[opener.lastgroup or 0]}>"


@dataclass(slots=True)
class TemplateTextFilter:
    """Reads an answer piece by piece, and returns its text without tokens, calls and `prompt_tags`.

    `sections`: the calls, and results of calls, that the model wrote, with their tags.
    """

    prompt_tags: AbstractSet[str] = frozenset()
    sections: list[str] = field(default_factory=list)
    _held: str = ""
    _fence: str = ""
    _ticks: int = 0
    _closer: str | None = None
    _section: list[str] = field(default_factory=list)
    _section_chars: int = 0
    _last: str = "\n"
    _is_begun: bool = False
    _is_struck: bool = False
    _follows_token: bool = False
    _awaits_role: bool = False
    _is_over: bool = False
    _ignores_sections: bool = False

    @property
    def is_over(self) -> bool:
        """Whether the model began a turn of another role, whose text is dropped."""
        return self._is_over

    def feed(self, piece: str) -> str:
        """Read a piece; return the text for the user in it and in the text held back before."""
        text = ""
        for start in range(0, len(piece), _STEP):
            self._held += piece[start : start + _STEP]
            text += self._read(is_end=False)
        return text

    def finish(self, is_call: Callable[[str], bool] = lambda _: False) -> str:
        """The rest of the text.

        An open section is stored with the others if it is a call, or if no text follows its call.
        """
        buffer = self._held.strip()
        if (self._fence or self._ticks) and _TOKEN.fullmatch(buffer):
            self._held = ""
        text = self._read(is_end=True)
        if self._closer is None:
            return text
        body = "".join(self._section[1:])
        if self._begins_call() and (is_call(self._section[0] + body) or _is_call_to_its_end(body)):
            return text + self._end_section()
        self._ignores_sections = True
        return text + self._restore() + self._read(is_end=True)

    def _read(self, *, is_end: bool) -> str:
        text = ""
        while (step := self._step(is_end=is_end)) is not None:
            if self._follows_token and not self._is_begun:
                step = step.lstrip()
            if step.strip():
                self._is_begun, self._follows_token = True, False
            self._last = step[-1:] or self._last
            text += step
        return text

    def _step(self, *, is_end: bool) -> str | None:
        """The text to pass on now, "" if another step has to follow, None to wait for more."""
        if self._is_over:
            self._held = ""
        if not self._held:
            return None
        if self._closer is not None:
            return self._collect(is_end=is_end)
        if self._awaits_role:
            return self._skip_role(is_end=is_end)
        if self._last == "\n" and (fence := _FENCE.match(self._held)):
            if not is_end and fence.end() == len(self._held):
                return None
            self._mark_fence(fence[1])
            return self._pass_on(fence.end())
        return self._speak(is_end=is_end)

    def _speak(self, *, is_end: bool) -> str | None:
        buffer = self._held
        if not is_end and self._last == "\n" and _UNDECIDED_FENCE.match(buffer):
            return None
        start = max(0, len(buffer) - _LOOK_BACK)
        open_sign = None if is_end else _UNDECIDED.search(buffer, start)
        stop = open_sign.start() if open_sign else len(buffer)
        sign = _SIGN.search(buffer, 0, stop)
        if sign is None:
            return self._pass_on(stop) if stop else None
        if sign["tag"]:
            return self._pass_on(sign.start()) if sign.start() else self._skip_tag()
        if sign["ticks"] and not self._fence:
            length = sign.end() - sign.start()
            self._ticks = {0: length, length: 0}.get(self._ticks, self._ticks)
        elif not sign["ticks"]:
            self._ticks = 0
        return self._pass_on(sign.end())

    def _pass_on(self, end: int) -> str:
        text, self._held = self._held[:end], self._held[end:]
        return text

    def _mark_fence(self, run: str) -> None:
        if not self._fence:
            self._fence = run
        elif run.startswith(self._fence):
            self._fence = ""

    def _skip_tag(self) -> str:
        """Drop the token at the beginning of the held-back text, or begin the section there."""
        if self._fence or self._ticks:
            return self._pass_on(1)
        section = _SECTION.match(self._held)
        if section:
            return (
                self._pass_on(section.end())
                if self._ignores_sections
                else self._begin_section(section[0], _closer_of_section(section))
            )
        tag = _PROMPT_TAG.match(self._held)
        if tag and tag["name"].lower() in self.prompt_tags:
            self._held = self._held[tag.end() :]
            return ""
        token = _TOKEN.match(self._held)
        if token is None or self._strikes(token[0]):
            return self._pass_on(1)
        name = token["name"] or token[0].strip("<>|｜")
        if _CALLING.search(name) and not _NO_OPENER.search(name) and not self._ignores_sections:
            return self._begin_section(token[0], _closer_of_token(token[0], name))
        is_apart = self._follows_token or self._last == "\n"
        is_other = name.lower() in _OTHER_ROLES or token[0] == "[INST]"
        # The model has invented the next text as a turn of another role.
        self._is_over = self._is_begun and is_apart and is_other
        self._awaits_role = name in _TURN_STARTS or name == "start_of_turn"
        self._follows_token = True
        self._held = self._held[token.end() :]
        return ""

    def _strikes(self, tag: str) -> bool:
        """Whether a tag strikes text through; false if it marks a beginning or an end."""
        was_struck = self._is_struck
        if tag == "<s>":
            self._is_struck = self._is_begun and not self._follows_token
        elif tag == "</s>":
            self._is_struck = False
        return self._is_struck or (tag == "</s>" and was_struck)

    def _skip_role(self, *, is_end: bool) -> str | None:
        role = _ROLE.match(self._held)
        if not is_end and len(self._held) <= _LONGEST_ROLE and self._held.isalpha():
            return None
        self._awaits_role = False
        if role:
            self._is_over = self._is_begun and role[1] in _OTHER_ROLES
            self._held = self._held[role.end() :]
        return ""

    def _begin_section(self, opener: str, closer: str) -> str:
        self._closer, self._section = closer, [opener]
        self._section_chars = 0
        self._held = self._held[len(opener) :]
        return ""

    def _collect(self, *, is_end: bool) -> str | None:
        closer = self._closer or ""
        position = self._held.find(closer) if closer else -1
        end = position + len(closer) if position >= 0 else len(self._held)
        if position < 0 and not is_end:
            end = max(0, end - max(0, len(closer) - 1))
        previous_chars = self._section_chars
        if previous_chars < _MOST_CHARS:
            self._section.append(self._held[:end])
            self._section_chars += end
        self._held = self._held[end:]
        is_decided = position >= 0 or previous_chars < _BODY_CHARS <= self._section_chars
        if is_decided and not self._begins_call():
            return self._restore()
        return self._end_section() if position >= 0 else None

    def _begins_call(self) -> bool:
        return bool(_BODY.match("".join(self._section), len(self._section[0])))

    def _restore(self) -> str:
        """The tag of a section that is not of a template; its body is read again as text."""
        opener, *body = self._section
        self._closer, self._held = None, "".join(body) + self._held
        self._is_begun, self._follows_token, self._last = True, False, opener[-1]
        return opener

    def _end_section(self) -> str:
        """Store the collected section."""
        self._closer, section = None, "".join(self._section)
        self._follows_token = True
        if len(self.sections) < _MOST_SECTIONS:
            self.sections.append(section)
        return ""


def without_template(text: str) -> str:
    """A whole text without special tokens and calls."""
    text_filter = TemplateTextFilter()
    return text_filter.feed(text) + text_filter.finish()
