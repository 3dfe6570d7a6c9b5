"""Signs of keys, passwords, seed phrases and card numbers in a text, which is then not kept."""

import re
from functools import cache
from pathlib import Path

from rich_agent.domain.redaction import redact
from rich_agent.domain.text import normalized

_KEYS = (
    re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
    # A hex key of 256 bits; base58 of a Solana secret key (64 bytes), or of a Bitcoin one (WIF).
    re.compile(
        r"\b(?:0x)?[0-9a-fA-F]{64}\b|\b[1-9A-HJ-NP-Za-km-z]{80,90}\b"
        r"|\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b"
    ),
    re.compile(r"\[\s*(?:\d{1,3}\s*,\s*){31,}\d{1,3}\s*\]"),
)
# A word for a password in the twenty most used languages, with a digit soon after it.
_NAMED = re.compile(
    r"(?:password|passwd|passphrase|passcode|\bpin\b|\bcv[vc]\b|passwort|kennwort|contraseña"
    r"|mot de passe|senha|wachtwoord|hasło|пароль|şifre|mật khẩu|kata sandi|पासवर्ड|পাসওয়ার্ড|گذرواژه"
    r"|كلمة (?:المرور|السر)|パスワード|暗証番号|密码|密碼|비밀번호|รหัสผ่าน)[^\d\n]{1,20}\d",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)")
_BETWEEN_WORDS = re.compile(r"[\s\d.,;:()]+")
_FEWEST_WORDS = 12


def holds_secret(text: str) -> bool:
    """Whether a text holds a key, a token, a seed phrase, a password or a card number."""
    return (
        redact(text) != text
        or any(pattern.search(text) for pattern in (*_KEYS, _NAMED))
        or any(_longest_run(text, seed_words) >= _FEWEST_WORDS for seed_words in _seed_words())
        or any(_is_card_number(digits[0]) for digits in _DIGITS.finditer(text))
    )


@cache
def _seed_words() -> tuple[frozenset[str], ...]:
    """The 2,048 words of each language.

    A line of the file is a language and its words, in the normal form NFKD. Source: BIP-39,
    wordlists, as python-mnemonic 0.21 has them (MIT License, Copyright 2013-2016 Pavol Rusnak).
    """
    lines = Path(__file__).with_name("seed_words.txt").read_text("utf-8").splitlines()
    return tuple(frozenset(line.split(" ")[1:]) for line in lines)


def _longest_run(text: str, vocabulary: frozenset[str]) -> int:
    """The most consecutive words from a list; ordinary sentences soon have another word."""
    longest = length = 0
    for word in _BETWEEN_WORDS.split(normalized("NFKD", text.lower())):
        length = length + 1 if word in vocabulary else 0
        longest = max(longest, length)
    return longest


def _is_card_number(digits: str) -> bool:
    """Whether the check digit is right. Source: Luhn algorithm, ISO/IEC 7812-1."""
    numbers = [int(digit) for digit in reversed(digits) if digit.isdecimal()]
    doubles = [sum(divmod(2 * number, 10)) for number in numbers[1::2]]
    return len(set(numbers)) > 1 and (sum(numbers[::2]) + sum(doubles)) % 10 == 0
