"""The guided session that a turn belongs to, led by a feature."""

import structlog

from rich_agent.domain.answer.citation import CommandOffer
from rich_agent.errors import RichAgentError
from rich_agent.graph.services import NodeContext, Services
from rich_agent.graph.state import TurnState, request_of
from rich_agent.graph.views import acting_of, locale_of
from rich_agent.phrases import say_tool
from rich_agent.ports.session_leads import SessionGuide, SessionLead, SessionState

_log = structlog.get_logger()


async def join_session(state: TurnState, context: NodeContext) -> SessionState:
    """The user's open session, with this message counted; {} without one, or if it fails."""
    user_id, request_id = state["user"]["telegram_user_id"], request_of(state).request_id
    for lead in context.services.session_leads:
        try:
            session = await lead.join(user_id, request_id, locale_of(state))
        except RichAgentError:
            raise
        except Exception as error:  # noqa: BLE001 - a feature ends its own part, not the turn
            context.run.notes.survive("session_failed", error)
            continue
        if session:
            return session
    return {}


async def leave_session(state: TurnState, services: Services) -> TurnState:
    """The turn outside its guided session, which ends for the user."""
    lead = _lead_of(state, services)
    user_id = state["user"]["telegram_user_id"]
    try:
        notice = await lead.leave(user_id, locale_of(state)) if lead else ""
    except RichAgentError:
        raise
    except Exception:  # noqa: BLE001 - a feature ends its own part, not the turn
        _log.exception("session.not_left")
        notice = ""
    return {**state, "session": {"end_notice": notice}}


def guide_of(state: TurnState, services: Services) -> SessionGuide | None:
    """The guide of the turn's session; None without a session, or if its feature fails."""
    lead = _lead_of(state, services)
    try:
        return lead.guide(state["session"]["template"]) if lead else None
    except Exception:  # noqa: BLE001 - a feature ends its own part, not the turn
        _log.exception("session.without_guide")
        return None


def session_title(state: TurnState, services: Services) -> str:
    """The title of the turn's session for a prompt, in English; "" without one."""
    guide = guide_of(state, services)
    return guide.titles.get("en", "") if guide else ""


def leave_offers(state: TurnState, services: Services) -> tuple[CommandOffer, ...]:
    """The command that ends the session, () if none goes on after this turn."""
    guide, session = guide_of(state, services), state.get("session") or {}
    if guide is None or not guide.leave_command or _ends(guide, state):
        return ()
    text = say_tool(locale_of(state), guide.end_tool)
    return (CommandOffer(text, f"{guide.leave_command} {session['id']}"),)


def _ends(guide: SessionGuide, state: TurnState) -> bool:
    """Whether a call of this turn ended the session."""
    return any(
        call["name"] == guide.end_tool and result["status"] == "success"
        for tool_round in acting_of(state).get("rounds", [])
        for call, result in zip(tool_round["calls"], tool_round["results"], strict=True)
    )


def _lead_of(state: TurnState, services: Services) -> SessionLead | None:
    """The feature that leads the turn's session, None without one."""
    template = (state.get("session") or {}).get("template")
    leads = (lead for lead in services.session_leads if template in lead.templates)
    return next(leads, None)
