"""Computes sums in a message, written in words or signs; evaluates nothing else."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from typing import Final

from rich_agent_sandbox.model.language.tongues import plain

_SUM = re.compile(r"[\d(][\d\s.,+\-*/^()%]*[\d)]")
_OPERATORS: Final[Mapping[str, str]] = {
    r"÷|\b(?:divided by|geteilt durch|dividido (?:por|entre)|divise par|diviso|gedeeld door)\b"
    r"|わる|除以": "/",
    r"[×✕·]|(?<=\d)\s*x\s*(?=\d)|\b(?:times|multiplied by|mal|por|fois|per|vezes|keer|razy)\b"
    r"|かける|乘以?|곱하기": "*",
    r"\b(?:plus|mas|piu|mais)\b|たす|加上?|더하기": "+",
    r"[−–]|\b(?:minus|menos|moins|meno|min)\b|ひく|减去?|빼기": "-",
}
_ASKS_A_SUM = re.compile(
    r"(?:(?:what(?:'s| is)|how much is|calculate|compute|was (?:ist|ergibt|macht)|wie ?viel ist"
    r"|berechne|rechne|cuanto (?:es|son)|calcula|combien (?:font|fait)|quanto (?:fa|e|da)"
    r"|hoeveel is|ile (?:to|jest)|сколько будет|please|bitte)\s*)*"
    r"(?P<sum>.*?)[\s=?？.!]*(?:は|等于多少|是多少|는|은)?(?:いくつ|何|ですか)*[\s=?？.!]*"
)
_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[[float, float], float]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_LARGEST_POWER = 64
_PERCENT_OF = re.compile(r"%\s*(?:of|von|de|di|van|z)\s*")
_DECIMAL_COMMA = re.compile(r"(?<=\d),(?=\d{1,2}(?!\d))")
# A date or a telephone number, not a sum.
_NUMBERED = re.compile(r"\d+(?:-\d+){2,}|\d{3,}-\d{3,}|\d{1,4}(?:/\d{1,4}){2}")
_LARGEST = 10**15
_MOST_CHARS = 100  # characters


def result_of(text: str) -> str:
    """`sum = result` for a message that asks for a sum and nothing else; "" otherwise."""
    said = plain(text).strip()
    if len(said) > _MOST_CHARS or _NUMBERED.fullmatch(said):
        return ""
    said = _PERCENT_OF.sub("/100*", said)
    for pattern, sign in _OPERATORS.items():
        said = re.sub(pattern, sign, said)
    found = _ASKS_A_SUM.fullmatch(said)
    written = found["sum"].strip() if found else ""
    if not _SUM.fullmatch(written) or not re.search(r"[+\-*/^]", written):
        return ""
    term = _DECIMAL_COMMA.sub(".", written).replace(",", "").replace("^", "**")
    try:
        value = _value(ast.parse(term, mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError):
        return ""
    shown = " ".join(re.sub(r"\s*\*\s*", " × ", written).split())
    return f"{shown} = {value:,.10g}" if abs(value) < _LARGEST else ""


def _value(node: ast.expr) -> float:
    """Raises: ValueError for anything but numbers and the basic operations."""
    match node:
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _ARITHMETIC:
            return _ARITHMETIC[type(sign)](_value(left), _value(right))
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base, power = _value(left), _value(right)
            if abs(power) > _LARGEST_POWER or abs(base) > _LARGEST:
                raise ValueError("too large")
            return float(base**power)
        case _:
            raise ValueError("no sum")
