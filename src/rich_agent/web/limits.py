"""Rate limits, counted in the memory of this process."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

_MOST_KEYS = 10_000


@dataclass(slots=True)
class RateLimit:
    """At most `most` at once for each key, and as many again in `per_s` seconds; 0: no limit.

    It remembers the keys that were counted last. Source: the generic cell rate algorithm.
    """

    most: int
    per_s: float = 60.0
    keys: int = _MOST_KEYS
    now: Callable[[], float] = time.monotonic
    _filled_until: OrderedDict[Hashable, float] = field(default_factory=OrderedDict)

    def remembers(self, key: Hashable) -> bool:
        """Whether the key was counted, not too many others ago."""
        return key in self._filled_until

    def wait_s(self, key: Hashable) -> float:
        """The number of seconds that the next one has to wait."""
        now = self.now()
        until = max(self._filled_until.get(key, now), now) + self._step_s
        return max(0.0, until - now - self.per_s) if self.most else 0.0

    def take(self, key: Hashable) -> float:
        """Count one: 0.0, or how many seconds it has to wait, and then it is not counted."""
        if wait_s := self.wait_s(key):
            return wait_s
        now = self.now()
        self._filled_until[key] = max(self._filled_until.get(key, now), now) + self._step_s
        self._filled_until.move_to_end(key)
        if len(self._filled_until) > self.keys:
            self._filled_until.popitem(last=False)
        return 0.0

    @property
    def _step_s(self) -> float:
        return self.per_s / self.most if self.most else 0.0
