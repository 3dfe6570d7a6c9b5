"""Users of the operator's pages: their roles, their browsers, and what is put to them."""

from selenium import webdriver

from tests.acceptance.test_web_chat import sign_in_link
from tests.acceptance.world import ADMIN, World, wait_until

SUBJECTS = "/operator/quality"
_GIVE = "INSERT INTO operator_roles (user_id, role, given_by) VALUES (%s, %s, %s) RETURNING user_id"


def give_role(world: World, user: int, role: str) -> None:
    """Store a role, without telling open pages; sign-ins are limited, so no owner gives it."""
    world.rows(_GIVE, user, role, ADMIN)


def sign_in(browser: webdriver.Chrome, world: World, user: int) -> None:
    """Sign in by the link of /web, and open the pages."""
    browser.get(sign_in_link(world, user))
    signed_in = "return !document.getElementById('composer').closest('form').hidden"
    wait_until(lambda: browser.execute_script(signed_in) or None, "the chat")
    browser.get(f"{world.environment['PUBLIC_URL']}/operator")


def await_subject(world: World, user: int) -> str:
    """The address of the subject of a user's question, once it is found."""
    statement = "SELECT subject_id FROM quality_questions WHERE thread_id = %s"

    def found() -> int | None:
        return next((row["subject_id"] for row in world.rows(statement, f"tg:{user}")), None)

    return f"{SUBJECTS}/{wait_until(found, 'a subject', 20.0)}"
