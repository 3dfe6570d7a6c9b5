"""`rich-agent doctor` says which languages of the documents the embedding model knows."""

from rich_agent.commands.diagnosis.known_languages import check_languages
from rich_agent.domain.retrieval.language_trust import LanguageTrust
from tests.scripted import ScriptedCatalogue


async def test_check_languages_warns_of_what_the_model_does_not_know() -> None:
    """It names the setting; what is known is well."""
    english = LanguageTrust("english", "LATIN", 90, asked=60, found=55, winners=58, share=0.9)
    arabic = LanguageTrust("arabic", "ARABIC", 50, asked=50, found=2, winners=12, share=0.14)
    known, unknown = await check_languages(ScriptedCatalogue(trust=(english, arabic)))
    assert (known.level, known.hint) == ("ok", "")
    assert unknown.level == "warn"
    assert "does not know Arabic: words decide" in unknown.detail
    assert "EMBEDDING_MODEL" in unknown.hint
    assert await check_languages(ScriptedCatalogue()) == []
