"""The file of personas: what it holds, and an error with its line for what cannot be."""

from pathlib import Path

import pytest
from PIL import Image

from rich_agent.feature.personas import FirstWords
from rich_agent.features.persona.persona_file import read_persona_file

WHOLE = """# Who the bot is
name = "Ada"
picture = "ada.png"
tone = \"\"\"Warm and brief.
Says “we”.\"\"\"
rules = [
  "Gives no legal advice.",
]
greeting = "Hello!"
starters = ["How do I book?", ""]

[languages.de]
greeting = "Hallo!"

[spaces.Sales]
tone = "Formal."
[spaces.Sales.languages.ja]
greeting = "いらっしゃいませ"
"""


def problems_of(folder: Path, text: str) -> list[str]:
    """The problems of a file with this text, without its path."""
    path = folder / "persona.toml"
    path.write_text(text, "utf-8")
    found = read_persona_file(path).problems
    return [str(one).replace(f"{path}", "FILE") for one in found]


def test_persona_file_holds_the_bots_own_and_those_of_spaces(tmp_path: Path) -> None:
    """With a picture made small, and first words by language."""
    Image.new("RGB", (900, 600), "red").save(tmp_path / "ada.png")
    path = tmp_path / "persona.toml"
    path.write_text(WHOLE, "utf-8")
    file = read_persona_file(path)
    assert file.problems == ()
    own, sales = file.by_space[""], file.by_space["Sales"]
    assert (own.name, own.tone) == ("Ada", "Warm and brief.\nSays “we”.")
    assert own.rules == ("Gives no legal advice.",)
    assert own.opening == FirstWords("Hello!", ("How do I book?",))
    assert own.opening_in("de") == FirstWords("Hallo!", ("How do I book?",))
    assert own.picture is not None
    assert own.picture[0] == "image/jpeg"
    assert len(own.picture[1]) < 10_000
    assert file.personas.by_space == {"sales": sales}
    assert sales.opening_in("ja").greeting == "いらっしゃいませ"


def test_persona_file_is_none_without_a_setting() -> None:
    """As all installations were before."""
    assert read_persona_file(None).personas.of_bot is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('name = "Ada"\ntone = "b\n', "FILE is not TOML: Illegal character '\\n' (at line 2"),
        ('tone = "a"\n\ncolour = "red"', "FILE, line 3: colour: is no part of a persona"),
        ('# x\nrules = [\n "a",\n 5,\n]', "FILE, line 2: rules, entry 2: Input should be a valid"),
        (
            '[languages.xx]\ngreeting = "a"',
            "FILE, line 1: languages: has no language xx; there are en, ar",
        ),
        ("[spaces.Sales]\n\ntone = 5", "FILE, line 3: spaces, Sales, tone: Input should be a va"),
        ("spaces = 3", "FILE, line 1: spaces: has to be a table for each space"),
        ('[spaces]\nSales = "a"', "FILE, line 2: spaces, Sales: has to be a table: [spaces.NAME]"),
        ('picture = "away.png"', "FILE, line 1: picture: away.png cannot be read: No such file"),
        ("picture = 5", "FILE, line 1: picture: has to be the path of a picture"),
        (f'name = "{"a" * 61}"', "FILE, line 1: name: has 61 characters, the most are 60"),
        (f'tone = "{"a" * 20_000}"', "FILE, line 1: tone: has 20,000 characters, the most are 600"),
        (f"rules = {['a'] * 13}", "FILE, line 1: rules: has 13 entries, the most are 12"),
        (
            f'name = "A"\nrules = {["word " * 50] * 12}',
            "FILE, line 2: rules: name, tone and rules have about ",
        ),
    ],
)
def test_persona_file_with_a_mistake_names_its_line(
    text: str, problem: str, tmp_path: Path
) -> None:
    """And says what is wrong there, what may stand, and where a whole file is shown."""
    found = problems_of(tmp_path, text)
    assert [one[: len(f"PERSONA_FILE: {problem}")] for one in found] == [f"PERSONA_FILE: {problem}"]


def test_persona_file_tells_all_of_its_mistakes(tmp_path: Path) -> None:
    """In one start."""
    text = 'name = 5\n[spaces.HR]\ntone = ["a"]\n[spaces.Sales]\nstarters = "a"'
    assert len(problems_of(tmp_path, text)) == 3


@pytest.mark.parametrize(("content", "said"), [(b"\xff\xfe", "UTF-8"), (b"#" * 70_000, "64 kB")])
def test_persona_file_that_is_no_text_or_too_long_is_refused(
    content: bytes, said: str, tmp_path: Path
) -> None:
    """Before anything of it is parsed."""
    path = tmp_path / "persona.toml"
    path.write_bytes(content)
    (problem,) = read_persona_file(path).problems
    assert said in str(problem)
    (missing,) = read_persona_file(tmp_path / "none.toml").problems
    assert "cannot be read" in str(missing)


def test_persona_in_any_script_is_kept_as_it_is_written(tmp_path: Path) -> None:
    """Without control characters, which could hide words from its reader."""
    path = tmp_path / "persona.toml"
    path.write_text('name = "آدا\\u202e"\ngreeting = "مرحبا\\nكيف أساعدك؟"\ntone = "\\u200b"')
    own = read_persona_file(path).by_space[""]
    assert (own.name, own.tone) == ("آدا", "")
    assert own.opening.greeting == "مرحبا\nكيف أساعدك؟"
