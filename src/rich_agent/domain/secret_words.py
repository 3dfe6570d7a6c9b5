"""Recognises secrets in what a user writes, so that they are never remembered."""

import re

from rich_agent.domain.redaction import redact

_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----")
# A hex key of 256 bits; base58 of a Solana secret key (64 bytes), or of a Bitcoin one (WIF).
_PRIVATE_KEY = re.compile(
    r"\b(?:0x)?[0-9a-fA-F]{64}\b|\b[1-9A-HJ-NP-Za-km-z]{80,90}\b|\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b"
)
_JSON_KEY = re.compile(r"\[\s*(?:\d{1,3}\s*,\s*){31,}\d{1,3}\s*\]")
_ACCESS_KEY = re.compile(
    r"\b(?:ghp_|gho_|github_pat_|xox[abpr]-|AKIA|AIza|glpat-|hf_|pk_live_|sk_live_)[\w-]{12,}"
    r"|\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}"
)
_NAMED_SECRET = re.compile(
    r"\b(?:password|passwd|passphrase|passcode|pin(?: code| number)?|cvv|cvc|otp|"
    r"(?:secret|private|api|access) key|security code|one-time code)\b\s*(?:is|was|=|:|→)\s*\S"
    r"|(?:パスワード|暗証番号|秘密鍵|合言葉|セキュリティコード)\s*(?:は|が|[:：=])\s*\S",
    re.IGNORECASE,
)
_PHRASE_NAMED = re.compile(
    r"(?:\b(?:seed|recovery|mnemonic|secret|backup)(?:[ -](?:phrase|words?|seed))?\b|"
    r"シード|リカバリー?フレーズ|ニーモニック)(?:\W+\w+){0,3}?\W+(?P<words>(?:[a-z]{3,8}[\s,]+){5,}[a-z]{3,8})",
    re.IGNORECASE,
)
# BIP-39: 12 to 24 words of 3 to 8 letters, none of which is a common function word.
_WORD_RUN = re.compile(
    r"(?:\b\d{1,2}[.)]\s*)?(?:\b[a-z]{3,8}\b[\s,]+(?:\d{1,2}[.)]\s*)?){11,}[a-z]{3,8}\b"
)
# Words that sentences need and that BIP-39 does not have.
_FUNCTION_WORDS = frozenset(
    {"the", "and", "for", "are", "but", "not", "had", "her", "was", "our", "has", "him", "his"}
    | {"how", "its", "who", "did", "she", "too", "have", "from", "been", "than", "them", "were"}
    | {"which", "their", "would", "these"}
)
_DIGITS = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)")
_FEWEST_WORDS = 12


def holds_secret(text: str) -> bool:
    """Whether a text holds a key, a token, a seed phrase, a password or a card number."""
    told = (_KEY_BLOCK, _PRIVATE_KEY, _JSON_KEY, _ACCESS_KEY, _NAMED_SECRET, _PHRASE_NAMED)
    return (
        redact(text) != text
        or any(pattern.search(text) for pattern in told)
        or any(_is_seed(run[0]) for run in _WORD_RUN.finditer(text.lower()))
        or any(_is_card_number(found[0]) for found in _DIGITS.finditer(text))
    )


def _is_seed(run: str) -> bool:
    """Twelve words in a row without one that a sentence would need."""
    length = 0
    for word in re.findall(r"[a-z]+", run):
        length = 0 if word in _FUNCTION_WORDS else length + 1
        if length >= _FEWEST_WORDS:
            return True
    return False


def _is_card_number(digits: str) -> bool:
    """Whether the check digit is right. Source: Luhn algorithm, ISO/IEC 7812-1."""
    numbers = [int(digit) for digit in reversed(digits) if digit.isdecimal()]
    doubled = [sum(divmod(2 * number, 10)) for number in numbers[1::2]]
    return len(set(numbers)) > 1 and (sum(numbers[::2]) + sum(doubled)) % 10 == 0
