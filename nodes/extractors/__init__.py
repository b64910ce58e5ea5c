"""Two ways to read facts out of a user's words: `offline` (rules, no model) and `model` (any LangChain chat model)."""
