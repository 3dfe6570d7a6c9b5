"""State of a Confluence site: spaces, contents in a tree, people, groups and restrictions."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

ContentType = Literal["page", "blogpost", "attachment", "folder"]
ContentStatus = Literal["current", "archived", "trashed"]


@dataclass(slots=True)
class StoredContent:
    """A page, a blog post, an attachment or a folder.

    `parent` is what a page or a folder is in, and the page or blog post of an attachment. Without
    `readers`, which are account ids and group ids, it is not restricted. An attachment has `size`
    bytes: its `body`, and zeros.
    """

    id: str
    type: ContentType
    title: str
    space: str
    modified: datetime
    parent: str = ""
    body: str = ""
    size: int = 0
    version: int = 1
    status: ContentStatus = "current"
    users: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)


@dataclass(slots=True)
class StoredSpace:
    """A space; `users` and `groups` may read it, and `roles` have some right in it."""

    id: str
    key: str
    name: str
    users: list[str] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ConfluenceSandbox:
    """A site, with methods for what people do there; ids are given out in ascending order.

    `token` of `email` signs in as `account`, who sees everything but what is `hidden`. A site that
    `is_public` takes requests without a valid token as those of an anonymous reader, who sees
    nothing here. `shows_groups` says whether the account may see who is in a group.
    """

    email: str = "bot@example.com"
    token: str = "ATATT3xFfGF0"
    account: str = "5b10ac8d82e05b22cc7d4ef5"
    is_public: bool = False
    shows_groups: bool = True
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    spaces: dict[str, StoredSpace] = field(default_factory=dict)
    contents: dict[str, StoredContent] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    unindexed: set[str] = field(default_factory=set)
    generation: int = 0
    _newest_id: int = 65_536
    _order: list[str] = field(default_factory=list)

    def add_space(
        self, key: str, *, users: Iterable[str] = (), groups: Iterable[str] = ()
    ) -> StoredSpace:
        """A new space that these people and groups may read."""
        space = StoredSpace(self._next_id(), key, f"Space {key}", list(users), list(groups))
        self.spaces[space.id] = space
        return space

    def add(
        self,
        kind: ContentType,
        title: str,
        space: StoredSpace,
        *,
        parent: StoredContent | None = None,
        body: str = "",
        size: int | None = None,
    ) -> StoredContent:
        """A new content; an attachment's `parent` is its page."""
        number = self._next_id()
        content = StoredContent(
            id=f"att{number}" if kind == "attachment" else number,
            type=kind,
            title=title,
            space=space.id,
            modified=self.clock(),
            parent=parent.id if parent else "",
            body=body,
            size=len(body.encode()) if size is None else size,
        )
        self.contents[content.id] = content
        self._order.append(content.id)
        return content

    def after(self, number: int) -> Iterator[StoredContent]:
        """The contents whose ids have greater numbers, in their order."""
        start = bisect_right(self._order, number, key=_number)
        for at in range(start, len(self._order)):
            if (content := self.contents.get(self._order[at])) is not None:
                yield content

    @staticmethod
    def number_of(content: StoredContent) -> int:
        """The number in the id of a content."""
        return _number(content.id)

    def edit(self, content: StoredContent, *, title: str = "", body: str = "") -> None:
        """Save a new version."""
        content.title = title or content.title
        content.body = body or content.body
        content.version += 1
        content.modified = self.clock()

    def restrict(
        self, content: StoredContent, *, users: Iterable[str] = (), groups: Iterable[str] = ()
    ) -> None:
        """Let only these people and groups read a content; without any, lift the restriction."""
        content.users, content.groups = list(users), list(groups)

    def trash(self, content: StoredContent) -> None:
        """Move a content to the trash: no new version."""
        content.status = "trashed"

    def purge(self, content: StoredContent) -> None:
        """Delete a content for good."""
        del self.contents[content.id]

    def forget_cursors(self) -> None:
        """Make all cursors of listings invalid."""
        self.generation += 1

    def sees(self, content: StoredContent) -> bool:
        """Whether the token's account may see a content."""
        return content.id not in self.hidden and content.parent not in self.hidden

    def _next_id(self) -> str:
        self._newest_id += 1
        return str(self._newest_id)


def _number(content_id: str) -> int:
    return int(content_id.removeprefix("att"))
