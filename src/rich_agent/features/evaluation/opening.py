"""Makes the parts of the feature."""

from rich_agent.feature import Core, Parts

AREA = "operator"
"""The area of pages for those who look after the bot; a feature that has it comes before."""


def make_parts(core: Core) -> Parts:
    """The page among the operator's pages, and what keeps a question for it; nothing without these.

    Pages load a library of templates.
    """
    area = core.areas.get(AREA)
    if area is None:
        return Parts()
    from rich_agent.feature.pages import PageEntry  # noqa: PLC0415 - see above
    from rich_agent.features.evaluation import page  # noqa: PLC0415 - see above
    from rich_agent.features.evaluation.runs import EvaluationRuns  # noqa: PLC0415 - see above
    from rich_agent.features.evaluation.stored import StoredQuestions  # noqa: PLC0415 - see above

    questions = StoredQuestions(core.databases.app)
    core.test_questions.append(questions.keep)
    area.entries.append(PageEntry(page.PATH, "evaluation-title", page.READERS))
    tests = page.EvaluationPage(questions, EvaluationRuns(core.databases.app))
    return Parts(routes=area.routes(tests.routes(), page.TEMPLATES))
