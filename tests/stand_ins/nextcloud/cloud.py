"""The users, groups, files and shares of a Nextcloud."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

ALL = 31
SHARE_TYPES = {"user": 0, "group": 1, "link": 3, "mail": 4, "remote": 6, "team": 7}


@dataclass
class CloudNode:
    """A file or folder; `size` is larger than `data` for a file of zeros.

    `storage` is the number of the storage that it is on; another one than its parent's is mounted.
    """

    id: int
    name: str
    owner: str
    storage: int
    is_folder: bool = False
    data: bytes = b""
    size: int = 0
    etag: str = ""
    parent: "CloudNode | None" = None
    children: "dict[str, CloudNode]" = field(default_factory=dict)

    def upwards(self) -> "Iterator[CloudNode]":
        """The node and the folders around it, up to the home of its owner."""
        node: CloudNode | None = self
        while node is not None:
            yield node
            node = node.parent

    @property
    def path(self) -> str:
        """The path in the files of the owner."""
        names = [node.name for node in self.upwards()][-2::-1]
        return "/" + "/".join(names)


@dataclass
class CloudShare:
    """A share; the receiver finds it in the top folder of their files."""

    id: int
    node: CloudNode
    kind: str
    receiver: str
    permissions: int = ALL
    expiration: str | None = None


@dataclass
class CloudFault:
    """Refuses the next requests whose path contains `path`."""

    status: int
    path: str = ""
    times: int = 1
    headers: dict[str, str] = field(default_factory=dict)


class NextcloudSandbox:
    """A Nextcloud in memory. Paths begin with the name of a user: "anna/Team/plan.md"."""

    def __init__(self) -> None:
        self.passwords: dict[str, str] = {}
        self.groups: dict[str, set[str]] = {}
        self.group_admins: dict[str, set[str]] = {}
        self.shares: dict[int, CloudShare] = {}
        self.faults: list[CloudFault] = []
        self.requests: list[tuple[str, str]] = []
        self.sent_bytes = 0
        self._homes: dict[str, CloudNode] = {}
        self._numbers = count(100)

    def add_user(self, name: str, password: str) -> None:
        """A user without files."""
        self.passwords[name] = password
        number = next(self._numbers)
        self._homes[name] = CloudNode(number, "", name, number, is_folder=True)
        self._touch(self._homes[name])

    def add_group(self, name: str, *members: str, admins: tuple[str, ...] = ()) -> None:
        """A group, and who may see its members."""
        self.groups[name] = set(members)
        self.group_admins[name] = set(admins)

    def put(self, path: str, data: bytes = b"text", *, size: int = 0) -> CloudNode:
        """Write a file; folders on its way are made."""
        folder, _, name = path.rpartition("/")
        parent = self.folder(folder)
        node = parent.children.get(name)
        if node is None:
            node = CloudNode(next(self._numbers), name, parent.owner, parent.storage, parent=parent)
            parent.children[name] = node
        node.data, node.size = data, max(size, len(data))
        self._touch(node)
        return node

    def folder(self, path: str, *, is_mounted: bool = False) -> CloudNode:
        """The folder at a path; it is made if it is missing, on a storage of its own if mounted."""
        user, *names = path.split("/")
        node = self._homes[user]
        for name in names:
            if name not in node.children:
                number = next(self._numbers)
                storage = number if is_mounted else node.storage
                made = CloudNode(number, name, user, storage, is_folder=True, parent=node)
                node.children[name] = made
                self._touch(made)
            node = node.children[name]
        return node

    def delete(self, path: str) -> None:
        """Delete a file or folder, and its shares."""
        node = self._detached(path)
        lost = [one.id for one in self.shares.values() if node in one.node.upwards()]
        for number in lost:
            del self.shares[number]

    def move(self, path: str, to: str) -> None:
        """Move or rename a file or folder; it keeps its number and its ETag."""
        node = self._detached(path)
        folder, _, name = to.rpartition("/")
        parent = self.folder(folder)
        node.name, node.parent = name, parent
        parent.children[name] = node
        self._touch(parent)

    def share(
        self,
        path: str,
        kind: str,
        receiver: str,
        *,
        permissions: int = ALL,
        expiration: str | None = None,
    ) -> int:
        """Share a file or folder; returns the number of the share. No ETag changes by it."""
        number = next(self._numbers)
        self.shares[number] = CloudShare(
            number, self.node(path), kind, receiver, permissions, expiration
        )
        return number

    def unshare(self, number: int) -> None:
        """Take a share back."""
        del self.shares[number]

    def node(self, path: str) -> CloudNode:
        """The file or folder at a path. Raises: KeyError."""
        user, *names = path.split("/")
        node = self._homes[user]
        for name in names:
            node = node.children[name]
        return node

    def seen(self, user: str, path: str) -> CloudNode:
        """The file or folder at a path as a user sees it, with what was shared with them.

        Raises: KeyError.
        """
        names = [name for name in path.split("/") if name]
        node = self._homes[user]
        for place, name in enumerate(names):
            received = self.received(user) if place == 0 else {}
            node = node.children[name] if name in node.children else received[name].node
        return node

    def content(self, user: str, folder: CloudNode) -> Iterator[CloudNode]:
        """The content of a folder as a user sees it."""
        yield from folder.children.values()
        if folder is self._homes[user]:
            yield from (one.node for one in self.received(user).values())

    def received(self, user: str) -> dict[str, CloudShare]:
        """The shares that a user got, by their names in the top folder of the user's files."""
        found = {}
        for share in self.shares.values():
            is_theirs = share.kind == "user" and share.receiver == user
            members = self.groups.get(share.receiver, set()) if share.kind == "group" else set()
            if (is_theirs or user in members) and share.node.owner != user:
                found[share.node.name] = share
        return found

    def etag(self, user: str, node: CloudNode) -> str:
        """The ETag of a node; that of a home covers what was shared with its user too."""
        if node is not self._homes[user]:
            return node.etag
        received = sorted(one.node.etag for one in self.received(user).values())
        return "".join([node.etag, *received])

    def _detached(self, path: str) -> CloudNode:
        folder, _, name = path.rpartition("/")
        parent = self.node(folder)
        node = parent.children.pop(name)
        self._touch(parent)
        return node

    def _touch(self, node: CloudNode) -> None:
        for one in node.upwards():
            one.etag = f"{next(self._numbers):032x}"
