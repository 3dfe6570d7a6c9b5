"""Spaces, contents, people and permissions in the form of Confluence's answers."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from tests.stand_ins.confluence.site import ConfluenceSandbox, StoredContent, StoredSpace

_EXPAND_AT_ONCE = 100


def space_form(space: StoredSpace) -> dict[str, Any]:
    """A space of v2."""
    return {
        "id": space.id,
        "key": space.key,
        "name": space.name,
        "type": "personal" if space.key.startswith("~") else "global",
        "status": "current",
        "authorId": None,
        "createdAt": "2024-01-01T00:00:00.000Z",
        "homepageId": None,
        "description": None,
        "icon": None,
        "_links": {"webui": f"/spaces/{space.key}"},
    }


def permission_forms(space: StoredSpace) -> list[dict[str, Any]]:
    """The assignments of v2: who may read the space, and what else some of them may do."""
    principals = [
        *(("user", one) for one in space.users),
        *(("group", one) for one in space.groups),
        *(("role", one) for one in space.roles),
    ]
    operations = [("read", "space"), ("create", "page")]
    return [
        {
            "id": f"{number}{'rc'[index]}",
            "principal": {"type": kind, "id": principal},
            "operation": {"key": key, "targetType": target},
        }
        for index, (key, target) in enumerate(operations)
        for number, (kind, principal) in enumerate(principals)
    ] + [
        # Somebody who may only create pages reads nothing.
        {
            "id": "0x",
            "principal": {"type": "user", "id": "712020:creator-only"},
            "operation": {"key": "create", "targetType": "page"},
        }
    ]


def _version(content: StoredContent) -> dict[str, Any]:
    return {
        "createdAt": _moment(content),
        "message": "",
        "number": content.version,
        "minorEdit": False,
        "authorId": "557058:author",
    }


def _moment(content: StoredContent) -> str:
    return content.modified.strftime("%Y-%m-%dT%H:%M:%S.") + "000Z"


def page_form(site: ConfluenceSandbox, content: StoredContent, *, body: str = "") -> dict[str, Any]:
    """A page, a blog post or a folder of v2; `body` names the format of its text."""
    parent = site.contents.get(content.parent)
    key = site.spaces[content.space].key
    value = {"representation": body, "value": content.body}
    return {
        "id": content.id,
        "status": content.status,
        "title": content.title,
        "spaceId": content.space,
        "parentId": content.parent or None,
        "parentType": parent.type if parent else None,
        "position": 0,
        "authorId": "557058:author",
        "ownerId": "557058:author",
        "lastOwnerId": None,
        "createdAt": _moment(content),
        "version": _version(content),
        "body": {body: value} if body else {},
        "_links": {
            "webui": f"/spaces/{key}/{content.type}s/{content.id}/{quote(content.title, safe='')}",
            "editui": f"/pages/resumedraft.action?draftId={content.id}",
            "tinyui": f"/x/{content.id}",
        },
    }


def attachment_form(site: ConfluenceSandbox, content: StoredContent) -> dict[str, Any]:
    """An attachment of v2."""
    parent = site.contents.get(content.parent)
    number, name = content.id.removeprefix("att"), quote(content.title, safe="")
    webui = f"/pages/viewpageattachments.action?pageId={content.parent}&preview=%2F{number}"
    download = f"/download/attachments/{content.parent}/{name}?version={content.version}"
    return {
        "id": content.id,
        "status": content.status,
        "title": content.title,
        "createdAt": _moment(content),
        "pageId": content.parent if parent and parent.type == "page" else None,
        "blogPostId": content.parent if parent and parent.type == "blogpost" else None,
        "customContentId": None,
        "mediaType": "application/octet-stream",
        "mediaTypeDescription": "File",
        "comment": "",
        "fileId": f"file-{number}",
        "fileSize": content.size,
        "webuiLink": webui,
        "downloadLink": download,
        "version": _version(content),
        "_links": {"webui": webui, "download": download},
    }


def user_form(account: str, name: str, *, email: str = "") -> dict[str, Any]:
    """A user of v1."""
    return {
        "type": "known",
        "accountId": account,
        "accountType": "atlassian",
        "email": email,
        "publicName": name,
        "displayName": name,
        "timeZone": "UTC",
        "isExternalCollaborator": False,
        "isGuest": False,
        "_expandable": {"operations": "", "personalSpace": ""},
        "_links": {"self": f"/rest/api/user?accountId={account}"},
    }


def member_form(account: str) -> dict[str, Any]:
    """A member of a group of v1."""
    return user_form(account, f"Person {account}")


def _group_form(group: str) -> dict[str, Any]:
    links = {"self": f"/rest/api/group/by-id?id={group}"}
    return {"type": "group", "name": f"name of {group}", "id": group, "_links": links}


def restriction_form(content: StoredContent, start: int, limit: int) -> dict[str, Any]:
    """The read restriction of a content of v1, from `start` on."""

    def part(found: Sequence[dict[str, Any]]) -> dict[str, Any]:
        results = found[start : start + limit]
        return {"results": results, "start": start, "limit": limit, "size": len(results)}

    return {
        "operation": "read",
        "restrictions": {
            "user": part([member_form(one) for one in content.users]),
            "group": part([_group_form(one) for one in content.groups]),
        },
        "_expandable": {"content": f"/rest/api/content/{content.id}"},
        "_links": {"self": f"/rest/api/content/{content.id}/restriction/byOperation/read"},
    }


def found_form(content: StoredContent, expand: str) -> dict[str, Any]:
    """A result of a search of v1, with what was asked to be expanded."""
    found: dict[str, Any] = {
        "id": content.id,
        "type": content.type,
        "status": content.status,
        "title": content.title,
        "macroRenderedOutput": {},
        "extensions": {"position": 0},
        "_expandable": {"container": "", "metadata": "", "history": "", "body": "", "version": ""},
        "_links": {"self": f"/rest/api/content/{content.id}", "tinyui": f"/x/{content.id}"},
    }
    if "restrictions.read.restrictions" in expand:
        read = restriction_form(content, 0, _EXPAND_AT_ONCE)
        found["restrictions"] = {"read": read, "_expandable": {"update": ""}, "_links": {}}
    else:
        found["_expandable"]["restrictions"] = f"/rest/api/content/{content.id}/restriction"
    return found
