"""Draws attachments or makes blocks of them, by functions that features declare for their kinds."""

import asyncio
from collections.abc import Iterable

import structlog

from rich_agent.domain.answer.attachments import Attachment, Draw, MakeBlock
from rich_agent.domain.living_blocks import LivingBlock
from rich_agent.errors import UpstreamRefusedError
from rich_agent.installed import installed_features
from rich_agent.runtime.concurrency import survived

_log = structlog.get_logger()


def _draw_of(kind: str) -> Draw | None:
    drawers = (one.pictures[kind] for one in installed_features().features if kind in one.pictures)
    return next(drawers, None)


def drawable(attachments: Iterable[Attachment]) -> tuple[Attachment, ...]:
    """The attachments of a kind that an installed feature draws."""
    return tuple(one for one in attachments if _draw_of(one.kind))


def _maker_of(kind: str) -> MakeBlock | None:
    makers = (one.blocks[kind] for one in installed_features().features if kind in one.blocks)
    return next(makers, None)


def has_block(attachment: Attachment) -> bool:
    """Whether an installed feature makes a living block of such an attachment."""
    return _maker_of(attachment.kind) is not None


def block_of(attachment: Attachment, locale: str) -> LivingBlock | None:
    """The living block of an attachment, None without one or if none can be made of its content."""
    block: LivingBlock | None = None
    if make_block := _maker_of(attachment.kind):
        # An answer is sent without the block, as it is without a picture.
        with survived("attachment.no_block", Exception, level="warning"):
            block = make_block(attachment, locale)
    return block


async def draw(attachment: Attachment, locale: str) -> bytes:
    """The picture, drawn in a thread: it takes longer than others should wait.

    Raises: UpstreamRefusedError if it cannot be drawn here, now or later, for whatever reason.
    """
    draw_content = _draw_of(attachment.kind)
    if draw_content is None:
        raise UpstreamRefusedError(attachment.kind, "no feature draws it")
    try:
        return await asyncio.to_thread(draw_content, attachment.content, locale)
    except OSError as error:
        _log.warning("attachment.not_drawn", kind=attachment.kind, error=str(error))
        raise UpstreamRefusedError(attachment.kind, str(error)) from error
    except Exception as error:
        _log.exception("attachment.not_drawn", kind=attachment.kind)
        raise UpstreamRefusedError(attachment.kind, str(error)) from error
