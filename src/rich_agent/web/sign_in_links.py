"""Links to pages of the bot on which people sign in, shown wherever a page asks them to."""

from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True)
class SignInPhrases:
    """Keys of phrases that say how to sign in where no link can lead."""

    alone: str
    """Key of the phrase where there are no links."""
    after_links: str
    """Key of the phrase that stands below links: another way."""


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A page on which people sign in, given as a path below the public address."""

    path: str
    """Path, such as `/portal/enter`. It takes the path of a page to show afterwards as `to`."""
    words: Callable[[str], str]
    """Returns the words of the link, in the language of a locale."""

    def path_to(self, page: str) -> str:
        """The path of the link; `page`, a path such as `/garden`, is shown to who has signed in."""
        return f"{self.path}?{urlencode({'to': page})}"
