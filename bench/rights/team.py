"""A team's services: nested folders and groups, documents that come, move and go, and who may read.

Who may read is worked out twice. `may_read` asks for one person and one document, upwards through
folders and groups. `accesses` and `groups` are what a connector would say, from the top downwards.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from rich_agent.domain.rights import PlaceReaders, ServiceGroup

SPACE = "Board"
LISTS, CHATS = ("list:a", "list:b"), ("telegram_group:-100", "telegram_group:-200")


@dataclass(slots=True)
class Folder:
    """A folder; `is_apart` inherits nothing, and one that is not `named` cannot be read."""

    source: str
    parent: "Folder | None"
    number: int
    grants: set[str] = field(default_factory=set)
    is_apart: bool = False
    named: bool = True

    @property
    def place(self) -> str:
        """Its key."""
        return f"f{self.number}"


@dataclass(slots=True)
class Page:
    """A document: one chunk with a word of its own; `folder` None is in no place."""

    number: int
    source: str
    folder: Folder | None
    edits: int = 0

    @property
    def url(self) -> str:
        """Its address."""
        return f"https://{self.source}.example/{self.number}"

    @property
    def title(self) -> str:
        """A title that no other has."""
        return f"t{self.number}"


@dataclass(slots=True)
class Team:
    """People 1..n; a source without rights, one in a space, one that is switched off at times."""

    random: Random
    people: int
    folders: list[Folder] = field(default_factory=list)
    pages: dict[int, Page] = field(default_factory=dict)
    members: dict[str, set[str]] = field(default_factory=dict)
    accounts: dict[int, set[str]] = field(default_factory=dict)
    joined: dict[str, set[int]] = field(default_factory=lambda: {n: set() for n in LISTS + CHATS})
    board: set[str] = field(default_factory=set)
    is_off: bool = False
    made: int = 0

    SOURCES = ("open", "wiki", "drive", "share")

    @classmethod
    def make(cls, seed: int, people: int, pages: int) -> "Team":
        """The same for a seed; a folder for each 25 documents, a group for each eight people."""
        team = cls(Random(seed), people)  # noqa: S311 - the same team each time
        for person in range(1, people + 1):
            team.accounts[person] = {f"external:{source}:p{person}" for source in cls.SOURCES[1:]}
        for source in cls.SOURCES[1:]:
            for number in range(max(3, people // 8)):
                team.members[f"external:{source}:g{number}"] = set()
            for _ in range(max(4, pages // 75)):
                team.add_folder(source)
        for group in team.members:
            for _ in range(6):
                team.nest(group)
        for _ in range(pages):
            team.add_page()
        return team

    def add_folder(self, source: str) -> None:
        """A folder below an older one of the source, or at the top; most are granted to few."""
        older = [one for one in self.folders if one.source == source]
        parent = self.random.choice([None, *older])
        folder = Folder(source, parent, len(self.folders), is_apart=self.random.random() < 0.2)
        for _ in range(self.random.randint(0, 2)):
            folder.grants.add(self.principal(source))
        self.folders.append(folder)

    def add_page(self) -> Page:
        """A document in some folder, sometimes in none."""
        source = self.random.choice(self.SOURCES)
        page = Page(self.made, source, self.folder_of(source))
        self.made += 1
        self.pages[page.number] = page
        return page

    def folder_of(self, source: str) -> Folder | None:
        """Some folder of a source, or none."""
        return self.random.choice([None, *(f for f in self.folders if f.source == source)])

    def principal(self, source: str) -> str:
        """Somebody whom a folder may be granted to."""
        person = self.random.randint(1, self.people)
        groups = [name for name in self.members if name.split(":")[1] == source]
        kinds = [
            f"external:{source}:p{person}",
            f"user:{person}",
            *self.random.choices(groups, k=4),
        ]
        rare = ["everybody", *LISTS, *CHATS] if self.random.random() < 0.3 else []
        return self.random.choice([*kinds, *rare])

    def nest(self, group: str) -> None:
        """A person or another group of the same service comes into a group."""
        source = group.split(":")[1]
        others = [name for name in self.members if name.split(":")[1] == source]
        person = f"external:{source}:p{self.random.randint(1, self.people)}"
        self.members[group].add(self.random.choice([person, person, person, *others[:1]]))

    def may_read(self, person: int | None, page: Page) -> bool:
        """Whether somebody may read a document, asked upwards."""
        if page.source == "open":
            return True
        if page.source == "share" and self.is_off:
            return False
        if page.source == "drive" and not any(self._is(person, one, set()) for one in self.board):
            return False
        folder = page.folder
        if folder is None or not folder.named:
            return False
        while folder is not None:
            if any(self._is(person, one, set()) for one in folder.grants):
                return True
            folder = None if folder.is_apart else folder.parent
        return False

    def _is(self, person: int | None, principal: str, seen: set[str]) -> bool:
        """Whether somebody is meant by a principal."""
        if principal == "everybody":
            return True
        if person is None or principal in seen:
            return False
        seen.add(principal)
        if principal in self.joined:
            return person in self.joined[principal]
        if principal in self.accounts[person] or principal == f"user:{person}":
            return True
        return any(self._is(person, one, seen) for one in self.members.get(principal, ()))

    def accesses(self, source: str) -> Iterator[PlaceReaders]:
        """The readers of each folder that can be read, downwards."""
        readers: dict[int, frozenset[str]] = {}
        for folder in self.folders:
            above = (
                frozenset()
                if folder.is_apart or not folder.parent
                else readers[folder.parent.number]
            )
            readers[folder.number] = above | folder.grants
            if folder.source == source and folder.named:
                yield PlaceReaders(folder.place, readers[folder.number])

    def groups(self, source: str) -> Iterator[ServiceGroup]:
        """The people in each group, also those of groups within it."""
        for name in self.members:
            if name.split(":")[1] != source:
                continue
            within, people, left = {name}, set[str](), [name]
            while left:
                for one in self.members[left.pop()]:
                    if one not in self.members:
                        people.add(one)
                    elif one not in within:
                        within.add(one)
                        left.append(one)
            yield ServiceGroup(name, frozenset(people))
