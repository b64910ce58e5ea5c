"""A read: what is injected, in which order, why not the rest, and what comes back when there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from memory_kernel import AgentHandle, InvalidMemory, KernelConfig, MemoryKernel
from memory_kernel.formatting import BLOCK_START
from tests.support.waiting import until

MakeKernel = Callable[..., MemoryKernel]
START = datetime(2026, 1, 1, tzinfo=UTC)


def at(day: int) -> datetime:
    return START + timedelta(days=day)


@pytest.fixture
def agent(kernel: MemoryKernel) -> AgentHandle:
    return kernel.register_agent("A", may_write={"profile", "task_context"}).bind("mira")


def rules(injection: Any) -> dict[str, str]:
    return {d.text: d.rule if d.verdict == "dropped" else "injected" for d in injection.decisions}


# Nothing to inject


@pytest.mark.parametrize("user_id", ["never seen", None])
def test_without_memories_the_block_is_empty_and_the_report_is_complete(
    kernel: MemoryKernel, user_id: str | None
) -> None:
    injection = kernel.register_agent("A").inject("hello", user_id=user_id)
    assert (injection.block, injection.items, injection.tokens, injection.decisions) == ("", (), 0, ())
    assert injection.barrier.model_dump(exclude={"waited_ms"}) == {"snapshot": 0, "timed_out": False, "pending": 0}
    assert injection.identity.user_id == (user_id or "agent:A")
    assert [m.content for m in injection.messages] == ["hello"]


def test_reading_about_somebody_unknown_leaves_no_trace(kernel: MemoryKernel) -> None:
    kernel.register_agent("A").inject("hello", user_id="nobody")
    kernel.register_agent("A").recall("hello", user_id="nobody")
    assert kernel.users() == []


def test_the_defaults_are_the_papers() -> None:
    config = KernelConfig()
    assert (config.auto_extract, config.auto_inject, config.barrier_enabled) == (True, True, True)
    assert (config.relevance_threshold, config.max_memories, config.token_budget) == (0.3, 10, 2000)
    assert config.barrier_timeout_ms == 5000


# Where the block goes


@pytest.mark.parametrize(
    "messages",
    [
        "what seat?",
        [("user", "what seat?")],
        [{"role": "user", "content": "what seat?"}],
        [HumanMessage("what seat?")],
        HumanMessage("what seat?"),
        (HumanMessage("what seat?"),),
    ],
)
def test_messages_come_in_every_form_of_langchain(agent: AgentHandle, messages: Any) -> None:
    agent.create_memory("prefers a window seat", memory_type="profile")
    [system, human] = agent.inject(messages).messages
    assert system.content.startswith(BLOCK_START)
    assert human.content == "what seat?"


def test_the_block_joins_a_system_message_that_keeps_everything_else(agent: AgentHandle) -> None:
    agent.create_memory("prefers a window seat", memory_type="profile")
    first = SystemMessage("Be brief.", id="s1", name="rules", additional_kwargs={"cache": True})
    messages = [first, HumanMessage("what seat?")]
    injection = agent.inject(messages)
    assert injection.messages[0].content == f"Be brief.\n\n{injection.block}"
    assert (injection.messages[0].id, injection.messages[0].name) == ("s1", "rules")
    assert injection.messages[0].additional_kwargs == {"cache": True}
    assert messages[0].content == "Be brief.", "the caller's own message is untouched"


def test_the_block_joins_a_system_message_of_parts(agent: AgentHandle) -> None:
    agent.create_memory("prefers a window seat", memory_type="profile")
    parts = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    injection = agent.inject([SystemMessage(parts), HumanMessage("what seat?")])
    assert injection.messages[0].content == [*parts, {"type": "text", "text": injection.block}]


def test_the_question_is_the_last_human_message_also_in_parts(make_kernel: MakeKernel) -> None:
    kernel = make_kernel()
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("prefers a window seat on trains", memory_type="profile")
    agent.create_memory("is allergic to peanuts and sesame", memory_type="profile")
    parts = [{"type": "text", "text": "which seat on trains?"}, {"type": "image_url", "image_url": {"url": "x"}}]
    conversation = [HumanMessage("peanuts and sesame"), AIMessage("noted"), HumanMessage(parts), AIMessage("hm")]
    assert agent.inject(conversation).items[0].text == "prefers a window seat on trains"
    assert agent.inject(conversation[:1]).items[0].text == "is allergic to peanuts and sesame"


@pytest.mark.parametrize("bad", [None, 7, {"messages": []}, [None], [("wizard", "x")], [object()], {"role": "user"}])
def test_what_is_no_conversation_is_a_bad_argument(agent: AgentHandle, bad: Any) -> None:
    with pytest.raises(InvalidMemory, match="messages"):
        agent.inject(bad)


def test_no_messages_at_all_are_fine(agent: AgentHandle) -> None:
    agent.create_memory("prefers a window seat", memory_type="profile")
    assert [m.type for m in agent.inject([]).messages] == ["system"]


# What is chosen


def test_expired_superseded_and_retracted_items_are_not_injected(agent: AgentHandle, kernel: MemoryKernel) -> None:
    past = datetime.now(UTC) - timedelta(seconds=1)
    future = datetime.now(UTC) + timedelta(days=1)
    agent.create_memory("expired", memory_type="profile", expires_at=past)
    agent.create_memory("not yet expired", memory_type="profile", expires_at=future)
    agent.create_memory("old value", memory_type="profile", slot="s")
    agent.create_memory("new value", memory_type="profile", slot="s")
    agent.retract_memory(agent.create_memory("retracted", memory_type="profile").item_id)
    assert {i.text for i in agent.inject("value").items} == {"not yet expired", "new value"}
    assert {i.text for i in agent.recall("value")} == {"not yet expired", "new value"}
    assert len(list(kernel.export_user("mira"))) == 5


def test_of_several_owners_of_a_slot_the_newer_visible_value_is_shown(kernel: MemoryKernel) -> None:
    one, two, reader = (kernel.register_agent(n, may_write={"profile"}) for n in ("One", "Two", "Reader"))

    def say(agent: AgentHandle, city: str, day: int, policy: str = "shared") -> None:
        agent.create_memory(
            city, memory_type="profile", slot="city", sharing_policy=policy, valid_from=at(day), user_id="mira"
        )

    say(one, "Lisbon", 1)
    say(two, "Porto", 2)
    injection = reader.inject("city", user_id="mira")
    assert rules(injection) == {"Porto": "injected", "Lisbon": "newer-value"}
    say(two, "Faro", 3, "private")
    assert rules(reader.inject("city", user_id="mira")) == {"Lisbon": "injected"}, "an invisible one changes nothing"
    assert rules(two.inject("city", user_id="mira")) == {"Faro": "injected", "Lisbon": "newer-value"}


def test_a_value_that_is_shown_in_other_words_still_stands_for_its_slot(kernel: MemoryKernel) -> None:
    one, two, three = (kernel.register_agent(n, may_write={"profile"}) for n in ("One", "Two", "Three"))
    common = {"memory_type": "profile", "sharing_policy": "shared", "user_id": "mira"}
    one.create_memory("lives in Porto", slot="city", valid_from=at(1), **common)
    two.create_memory("lives in Lisbon", slot="city", valid_from=at(2), **common)
    three.create_memory("lives in Lisbon", valid_from=at(3), **common)
    assert rules(three.inject("city", user_id="mira")) == {
        "lives in Lisbon": "duplicate",  # of the two that say so one is injected, and one is not
        "lives in Porto": "newer-value",
    }
    assert [i.text for i in three.inject("city", user_id="mira").items] == ["lives in Lisbon"]


def test_the_same_words_from_two_agents_are_shown_once(kernel: MemoryKernel) -> None:
    for name in ("One", "Two"):
        kernel.register_agent(name, may_write={"profile"}).create_memory(
            "likes tea", memory_type="profile", sharing_policy="shared", user_id="mira"
        )
    injection = kernel.register_agent("Reader").inject("tea", user_id="mira")
    assert injection.block.count("likes tea") == 1
    assert sorted(d.rule for d in injection.decisions) == ["duplicate", "relevant"]


def test_a_threshold_of_zero_filters_nothing_and_a_higher_one_says_what_it_dropped(make_kernel: MakeKernel) -> None:
    texts = ["prefers a window seat on trains", "zzz qqq", "数字"]
    for threshold, kept in ((0.0, 3), (0.3, 1), (1.0, 0)):
        with make_kernel(relevance_threshold=threshold, subdir=f"t{threshold}") as kernel:
            agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
            for text in texts:
                agent.create_memory(text, memory_type="profile")
            injection = agent.inject("which seat on trains does she prefer by the window")
            assert len(injection.items) == kept
            assert sorted(rules(injection).values()) == ["injected"] * kept + ["threshold"] * (3 - kept)
            assert injection.considered == 3


def test_relevance_is_a_number_between_nothing_and_one(agent: AgentHandle) -> None:
    for text in ("seat seat seat", "window", "数字", "x" * 5000, "🦊", "?"):
        agent.create_memory(text, memory_type="task_context")
    for question in ("seat", "", "   ", "🦊", "\ud800", "x" * 100_000, "\x00"):
        assert all(0 <= d.relevance <= 1 for d in agent.inject([HumanMessage(question)]).decisions)


def test_at_most_max_memories_are_injected_and_no_type_crowds_out_another(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(max_memories=6)
    agent = kernel.register_agent("A", may_write={"profile", "task_context"}).bind("mira")
    for n in range(20):
        agent.create_memory(f"trains trains trains number {n}", memory_type="task_context")
    agent.create_memory("prefers quiet", memory_type="profile")
    injection = agent.inject("trains trains")
    assert len(injection.items) == 6
    assert "prefers quiet" in [i.text for i in injection.items]
    assert list(rules(injection).values()).count("limit") == 15
    assert len(agent.recall("trains", limit=3)) == 3
    assert agent.recall("trains", limit=0) == []


def test_a_limit_of_no_memories_injects_none(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(max_memories=0)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("x", memory_type="profile")
    assert agent.inject("x").block == ""


def test_the_order_is_the_same_every_time_and_after_a_restart(make_kernel: MakeKernel) -> None:
    orders = set()
    with make_kernel() as kernel:
        agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        for n in range(12):
            agent.create_memory(f"number {n}", memory_type="profile", valid_from=at(0))
        orders |= {tuple(i.text for i in agent.recall("number")) for _ in range(3)}
    with make_kernel() as kernel:
        agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        assert kernel.flush()
        orders |= {tuple(i.text for i in agent.recall("number")) for _ in range(3)}
    assert len(orders) == 1


def test_many_decisions_are_counted_and_not_all_spelled_out(agent: AgentHandle) -> None:
    agent._manager.write(
        agent._bound_to,  # type: ignore[attr-defined]
        [agent._draft_of({"content": f"fact {n}", "memory_type": "profile"}) for n in range(200)],
    )
    injection = agent.inject("fact")
    assert injection.considered == 200
    assert [d.verdict for d in injection.decisions] == ["injected"] * 10 + ["dropped"] * 15


def test_a_decision_shows_the_beginning_of_a_long_text(agent: AgentHandle) -> None:
    agent.create_memory("x" * 500, memory_type="profile")
    [decision] = agent.inject("x").decisions
    assert decision.text == "x" * 159 + "…"
    assert decision.tokens > 0


# Conversations


def test_messages_that_the_model_is_shown_anyway_are_not_repeated(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("Assistant").bind("mira", "thread")
    exchange = [HumanMessage("I went to Porto", id="m1"), AIMessage("How was it?", id="m2")]
    agent.keep_exchange(exchange)
    assert len(agent.inject("Porto").items) == 2
    injection = agent.inject([*exchange, HumanMessage("it was fine", id="m3")])
    assert injection.items == ()
    assert set(rules(injection).values()) == {"in-view"}
    assert "Porto" not in injection.block


def test_the_question_itself_is_not_given_back_as_a_memory(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("Assistant").bind("mira")
    agent.keep_exchange([HumanMessage("where did I go?"), AIMessage("To Porto.")])
    injection = agent.inject("where did  I go?")
    assert [i.text for i in injection.items] == ["the assistant said: To Porto."]
    assert "same-question" in rules(injection).values()


@pytest.mark.parametrize("content", ["as plain text", {"other": "fields"}, {"said": None}, {"said": ["a", "list"]}])
def test_conversation_items_of_any_content_are_read(kernel: MemoryKernel, content: Any) -> None:
    agent = kernel.register_agent("Importer", may_write={"conversation"}).bind("mira")
    agent.create_memory(content, memory_type="conversation")
    assert len(agent.inject("hello").items) == 1


def test_an_exchange_becomes_private_items_of_the_agent_that_held_it(kernel: MemoryKernel) -> None:
    agent, other = kernel.register_agent("Assistant").bind("mira", "thread"), kernel.register_agent("Other")
    receipts = agent.keep_exchange(
        [
            SystemMessage("be brief"),
            HumanMessage("I like Porto", id="m1"),
            AIMessage("", id="m2", tool_calls=[{"name": "x", "args": {}, "id": "c"}]),
            ToolMessage("secret tool output", tool_call_id="c"),
            AIMessage("Noted.", id="m3"),
        ]
    )
    kept = list(kernel.export_user("mira"))
    assert [i.id for i in kept] == [r.item_id for r in receipts]
    assert [i.text for i in kept] == ["the user said: I like Porto", "the assistant said: Noted."]
    assert {(i.owner_agent, i.sharing_policy, i.memory_type) for i in kept} == {
        ("Assistant", "private", "conversation")
    }
    assert [(i.source.thread_id, i.source.message_id, i.source.speaker) for i in kept] == [
        ("thread", "m1", "user"),
        ("thread", "m3", "assistant"),
    ]
    assert other.recall("Porto", user_id="mira") == []


def test_keeping_an_exchange_again_writes_nothing_twice(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("Assistant").bind("mira", "thread")
    exchange = [HumanMessage("I like Porto", id="m1"), AIMessage("Noted.", id="m2")]
    first, again = agent.keep_exchange(exchange), agent.keep_exchange(exchange)
    assert [r.item_id for r in first] == [r.item_id for r in again]
    assert {r.state for r in again} == {"duplicate"}


def test_a_very_long_turn_is_cut_and_its_time_can_be_given(kernel: MemoryKernel) -> None:
    agent = kernel.register_agent("Assistant").bind("mira")
    agent.keep_exchange([HumanMessage("x" * 50_000)], at=at(3))
    [item] = kernel.export_user("mira")
    assert item.text == f"the user said: {'x' * 4000}…"
    assert item.valid_from == at(3)


def test_llm_chat_injects_calls_the_model_and_keeps_the_exchange(make_kernel: MakeKernel) -> None:
    seen: list[Any] = []

    class Model(FakeListChatModel):
        def invoke(self, asked: Any, *args: Any, **options: Any) -> Any:
            seen.append(asked)
            return super().invoke(asked, *args, **options)

    for auto_inject, auto_extract in ((True, True), (False, False)):
        kernel = make_kernel(auto_inject=auto_inject, auto_extract=auto_extract, subdir=f"auto-{auto_inject}")
        agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
        agent.create_memory("prefers a window seat", memory_type="profile")
        reply = agent.llm_chat("what seat?", model=Model(responses=["the window"]))
        assert reply.content == "the window"
        assert ("window seat" in str(seen[-1])) is auto_inject
        assert (len(list(kernel.export_user("mira"))) == 3) is auto_extract


def test_nothing_is_kept_of_a_turn_whose_model_failed(agent: AgentHandle, kernel: MemoryKernel) -> None:
    class Model:
        def invoke(self, asked: Any) -> Any:
            raise ConnectionError("the model is down")

    with pytest.raises(ConnectionError):
        agent.llm_chat("hello", model=Model())
    assert list(kernel.export_user("mira")) == []


# The operator's record


def test_the_audit_records_who_read_what_and_why(kernel: MemoryKernel, agent: AgentHandle) -> None:
    kept = agent.create_memory("likes tea", memory_type="profile").item_id
    agent.inject("tea?")
    until(lambda: kernel.audit("mira"))
    [entry] = kernel.audit("mira")
    assert entry["agent"] == "A"
    assert entry["identity"] == {"user_id": "mira", "source": "request"}
    assert entry["injected"] == [kept]
    assert entry["tokens"] > 0
    assert "tea" not in str(entry), "the text has one home, the ledger"
    agent.inject("tea again?")
    assert kernel.flush()
    assert len(kernel.audit("mira")) == 2
    assert len(kernel.audit("mira", limit=1)) == 1
    assert kernel.audit("nobody") == []


def test_the_audit_can_be_switched_off(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(audit=False)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("likes tea", memory_type="profile")
    agent.inject("tea?")
    assert kernel.flush()
    assert kernel.audit("mira") == []


# What was said and holds no longer


def message(text: str, message_id: str) -> HumanMessage:
    return HumanMessage(text, id=message_id)


@pytest.fixture
def told(kernel: MemoryKernel) -> AgentHandle:
    """Mira told where she lives, in a message that was kept, and that a profile agent read."""
    assistant = kernel.register_agent("Assistant").bind("mira")
    assistant.keep_exchange([message("I live in Graz, and I like figs.", "m1")])
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory(
        "lives in Graz", memory_type="profile", slot="city", sharing_policy="shared", source={"message_id": "m1"}
    )
    agent.create_memory("likes figs", memory_type="profile", sharing_policy="shared", source={"message_id": "m1"})
    return assistant


@pytest.mark.parametrize("cold", [False, True])
def test_a_message_whose_fact_was_replaced_does_not_bring_the_old_value_back(
    kernel: MemoryKernel, told: AgentHandle, cold: bool
) -> None:
    assert "the user said: I live in Graz" in told.inject("Graz?").block
    kernel.register_agent("A").create_memory(
        "lives in Linz", memory_type="profile", slot="city", sharing_policy="shared", user_id="mira"
    )
    if cold:
        kernel._indexer.view.clear()
    injection = told.inject("Graz?")
    assert "Graz" not in injection.block
    assert "likes figs" in injection.block
    assert rules(injection)["the user said: I live in Graz, and I like figs."] == "outdated"


def test_a_message_whose_fact_was_retracted_does_not_bring_it_back(kernel: MemoryKernel, told: AgentHandle) -> None:
    [city] = [i for i in kernel.export_user("mira") if i.slot == "city"]
    assert kernel.retract(city.id)
    assert "Graz" not in told.inject("Graz?").block


def test_a_message_whose_fact_only_changed_its_policy_still_holds(kernel: MemoryKernel, told: AgentHandle) -> None:
    kernel.register_agent("A").create_memory(
        "lives in Graz", memory_type="profile", slot="city", sharing_policy="private", user_id="mira"
    )
    for _ in range(2):
        assert "the user said: I live in Graz" in told.inject("Graz?").block
        kernel._indexer.view.clear()


def test_retracting_with_its_source_takes_what_was_said_out_of_use_too(kernel: MemoryKernel, told: AgentHandle) -> None:
    [figs] = [i for i in kernel.export_user("mira") if i.text == "likes figs"]
    assert kernel.retract(figs.id, with_source=True)
    assert {i.text: i.status for i in kernel.export_user("mira")} == {
        "the user said: I live in Graz, and I like figs.": "retracted",
        "lives in Graz": "current",
        "likes figs": "retracted",
    }
    assert not kernel.retract(figs.id, with_source=True)
    assert not kernel.retract("no such item", with_source=True)
