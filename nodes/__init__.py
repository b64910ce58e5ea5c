"""The agents and the kernel node: pieces that work in any LangGraph graph."""
