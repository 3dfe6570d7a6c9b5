"""The latencies of a model, which its name tells: `mock-ttft800-tps50-len300-tpe1`."""

import re
from dataclasses import dataclass

_NAMED = re.compile(r"(ttft|tps|len|tpe)([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Latencies:
    """First token after `ttft` ms, then `tps` tokens a second, `tpe` in an event, `len` in all."""

    ttft: int = 0
    tps: int = 50
    length: int = 1
    tpe: int = 1

    @classmethod
    def of(cls, model: str) -> "Latencies":
        """The latencies in the name of a model; what it does not name has its default."""
        named = {name: int(number) for name, number in _NAMED.findall(model)}
        known = cls()
        return cls(
            named.get("ttft", known.ttft),
            named.get("tps", known.tps),
            named.get("len", known.length),
            named.get("tpe", known.tpe),
        )

    @property
    def name(self) -> str:
        """A model's name that tells them."""
        return f"mock-ttft{self.ttft}-tps{self.tps}-len{self.length}-tpe{self.tpe}"

    @property
    def events(self) -> int:
        """The number of events in an answer."""
        return -(-self.length // self.tpe)

    @property
    def first_s(self) -> float:
        """Seconds from a request to its first token."""
        return self.ttft / 1000

    @property
    def event_s(self) -> float:
        """Seconds from an event to the next."""
        return self.tpe / self.tps

    @property
    def whole_s(self) -> float:
        """Seconds from a request to the end of the answer."""
        return self.first_s + self.events * self.event_s
