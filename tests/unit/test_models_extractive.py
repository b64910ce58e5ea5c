"""`local:extractive`: what it quotes, what it admits, and that nothing makes it fail."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

from graph.models.extractive import INTRODUCTION, NOTHING_FOUND, ExtractiveChatModel
from graph.models.quoting import memory_lines, terms
from memory_kernel.errors import ModelUnavailable

PROMPT = """You are a helpful assistant. Your favourite dish is lasagne.

===== MEMORY CONTEXT =====
What earlier conversations taught about this user and their work.
About the user:
- The user's name is Mira
- Prefers answers in French
- Likes concise answers with bullet points
- Is a vegetarian and allergic to peanuts
- Lives in Porto
What the user is working on:
- Current project: a reinforcement learning agent for warehouse robots
- The ablation study is due on Friday
From earlier conversations:
- (2026-01-03) Chose the Ribeira for the Lisbon hotel
===== END OF MEMORY CONTEXT =====

Answer politely.
"""

MODEL = ExtractiveChatModel()
BEFORE: list[BaseMessage] = [HumanMessage("Hello"), AIMessage("Hello.")]


def ask(question: str, *, prompt: str | None = PROMPT, before: list[BaseMessage] = BEFORE) -> str:
    system = [SystemMessage(prompt)] if prompt is not None else []
    return MODEL.invoke([*system, *before, HumanMessage(question)]).text


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("What is my name?", "Mira"),
        ("Where do I live?", "Porto"),
        ("What should I cook for dinner?", "vegetarian"),
        ("When is my deadline?", "Friday"),
        ("What did I decide about hotels in Lisbon?", "Ribeira"),
        ("Which language should you answer in?", "French"),
        ("Tell me about my warehouse robot", "reinforcement learning"),
        ("Quel est mon nom ?", "Mira"),
    ],
)
def test_a_question_is_answered_by_the_memory_that_bears_on_it(question: str, quoted: str) -> None:
    assert quoted in ask(question)


def test_a_precise_question_is_answered_by_nothing_else() -> None:
    assert ask("What is my name?") == "From memory: “The user's name is Mira”"


def test_an_open_question_is_answered_by_current_work_and_by_how_the_user_likes_answers() -> None:
    answer = ask("What should I focus on next?")
    for quoted in ("warehouse robots", "due on Friday", "in French", "concise"):
        assert quoted in answer
    assert "peanuts" not in answer


def test_without_a_block_the_conversation_is_quoted() -> None:
    before = [HumanMessage("My dog is called Biscuit. I love jazz."), AIMessage("Noted.")]
    assert ask("What is my dog called?", prompt=None, before=before) == "You said: “My dog is called Biscuit.”"


def test_what_nothing_bears_on_is_admitted() -> None:
    assert ask("Who won the chess olympiad?") == NOTHING_FOUND


def test_only_the_block_is_memory() -> None:
    assert "lasagne" not in ask("What is my favourite dish?")


def test_a_statement_is_acknowledged() -> None:
    assert ask("I moved to Lyon last week.") == "Noted: I moved to Lyon last week."


def test_a_statement_before_a_question_is_acknowledged_too() -> None:
    answer = ask("I am hungry. What can I eat?")
    assert answer.startswith("Noted: I am hungry.\n")
    assert "vegetarian" in answer


def test_a_greeting_is_greeted_with_current_work() -> None:
    assert ask("Good morning!").startswith("Hello.")
    assert "warehouse robots" in ask("Good morning!")


def test_thanks_are_welcome() -> None:
    assert ask("Thanks a lot!") == "You are welcome."


def test_it_says_what_it_is_in_the_first_answer_only() -> None:
    assert ask("What is my name?", before=[]).startswith(INTRODUCTION)
    assert INTRODUCTION not in ask("What is my name?")


def test_the_same_messages_give_the_same_answer() -> None:
    assert len({ask("What should I focus on next?") for _ in range(5)}) == 1


@pytest.mark.parametrize(
    ("said", "question", "quoted"),
    [
        ("我喜欢爬山和露营。", "我喜欢什么？", "爬山"),
        ("Übernachte gern in kleinen Pensionen in Wien.", "Welche Pensionen in Wien?", "Pensionen"),
        ("ฉันชอบกินผลไม้", "ฉันชอบกินอะไร?", "ผลไม้"),
        ("أسكن في مدينة القاهرة.", "أين أسكن؟", "القاهرة"),
        ("Живу в Казани.", "Где я живу, в Казани?", "Казани"),
    ],
)
def test_any_language_can_be_quoted(said: str, question: str, quoted: str) -> None:
    assert quoted in ask(question, prompt=None, before=[HumanMessage(said), AIMessage("ok")])


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "?",
        "\n\n",
        "\x00",
        "-",
        "🎉🎉",
        "\ud800",
        "a" * 100_000,
        "?" * 50_000,
        "word " * 20_000,
        "know " * 20_000,
    ],
)
def test_no_text_makes_it_fail(text: str) -> None:
    assert ask(text, prompt=PROMPT + text)


def test_no_messages_or_no_words_make_no_trouble() -> None:
    assert MODEL.invoke([SystemMessage("Be kind.")]).text
    assert MODEL.invoke([HumanMessage([])]).text


def test_content_may_be_a_list_of_parts() -> None:
    question = [{"type": "text", "text": "What is my name?"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    answer = MODEL.invoke([SystemMessage([{"type": "text", "text": PROMPT}]), *BEFORE, HumanMessage(question)])
    assert "Mira" in answer.text


def test_messages_of_tools_are_tolerated() -> None:
    call = AIMessage("", tool_calls=[{"name": "clock", "args": {}, "id": "1"}])
    assert "Mira" in ask("What is my name?", before=[*BEFORE, call, ToolMessage("12:00", tool_call_id="1")])


def test_a_block_that_is_not_closed_or_not_opened_does_no_harm() -> None:
    assert [line.text for line in memory_lines("===== MEMORY CONTEXT =====\nX:\n- a")] == ["a"]
    assert memory_lines("- a\n===== END OF MEMORY CONTEXT =====\n- b") == []


def test_tokens_stream_by_the_word_and_add_up_to_the_answer() -> None:
    messages = [SystemMessage(PROMPT), *BEFORE, HumanMessage("What should I focus on next?")]
    chunks = list(MODEL.stream(messages))
    whole = MODEL.invoke(messages)
    assert len(chunks) > 10
    assert "".join(chunk.text for chunk in chunks) == whole.text
    assert sum((chunk for chunk in chunks[1:]), chunks[0]).usage_metadata == whole.usage_metadata


async def test_async_says_the_same_as_sync() -> None:
    messages = [SystemMessage(PROMPT), *BEFORE, HumanMessage("Where do I live?")]
    expected = MODEL.invoke(messages).text
    assert (await MODEL.ainvoke(messages)).text == expected
    assert "".join([chunk.text async for chunk in MODEL.astream(messages)]) == expected


def test_usage_is_estimated() -> None:
    usage = MODEL.invoke([SystemMessage(PROMPT), HumanMessage("Where do I live?")]).usage_metadata
    assert usage is not None
    assert usage["input_tokens"] > 100
    assert usage["output_tokens"] > 0
    assert usage["total_tokens"] == usage["input_tokens"] + usage["output_tokens"]


def test_it_stops_where_it_is_told() -> None:
    answer = MODEL.invoke([SystemMessage(PROMPT), *BEFORE, HumanMessage("Where do I live?")], stop=["Porto"])
    assert answer.text == "From memory: “Lives in "


def test_tools_are_taken_and_never_called() -> None:
    def clock() -> str:
        """Tell the time."""
        return "12:00"

    answer = MODEL.bind_tools([clock]).invoke("What time is it?")
    assert isinstance(answer, AIMessage)
    assert answer.tool_calls == []


def test_structured_output_is_refused_with_a_way_out() -> None:
    with pytest.raises(ModelUnavailable, match=r"structured output.*MEMORY_EXTRACTION_MODEL"):
        MODEL.with_structured_output({"title": "x", "type": "object", "properties": {}})


def test_word_forms_count_as_the_same_word() -> None:
    assert terms("running runs") == terms("run run")
    assert terms("allergies") == terms("allergy") == terms("allergic")
    assert terms("cities") == terms("city")
    assert terms("the of and") == []
    assert terms("爬山") == ["爬山"]
