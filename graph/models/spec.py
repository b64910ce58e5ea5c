"""The string by which a model is chosen, taken apart. Knows no client and no setting."""

from __future__ import annotations

from typing import NamedTuple

from memory_kernel.errors import ModelUnavailable

PROVIDERS = ("openai", "ollama", "local")

CHAT_SPECS = ("openai:<model>", "ollama:<model>", "local:extractive", "local:smollm2", "local:/path/to/model.gguf")
EMBEDDING_SPECS = ("openai:<model>", "ollama:<model>", "local:wordllama", "local:minilm")


class ModelSpec(NamedTuple):
    """`provider:name`. Only the first colon separates, since Ollama's names have colons of their own."""

    provider: str
    name: str

    def __str__(self) -> str:
        return f"{self.provider}:{self.name}"

    @property
    def names_a_file(self) -> bool:
        """Whether a `local:` name is a path to weights and not the name of a known model."""
        return self.name.endswith(".gguf") or "/" in self.name or "\\" in self.name

    @classmethod
    def parse(cls, text: str, valid: tuple[str, ...] = CHAT_SPECS) -> ModelSpec:
        """Take a string apart. Raises ModelUnavailable with the valid forms."""
        provider, colon, name = (part.strip() for part in text.strip().partition(":"))
        provider = provider.lower()
        if provider in PROVIDERS and name:
            return cls(provider, name)
        if not colon and text.strip():
            hint = f"say who serves it, for example openai:{text.strip()}; valid are {', '.join(valid)}"
            raise ModelUnavailable(f"Model {text!r} has no provider: {hint}.")
        raise unknown(text, valid)


def unknown(text: object, valid: tuple[str, ...]) -> ModelUnavailable:
    """The error for a provider or a name that does not exist."""
    return ModelUnavailable(
        f"There is no model {str(text)!r}: use one of {', '.join(valid)}, or pass a LangChain object of your own."
    )
