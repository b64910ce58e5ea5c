"""Invariant 7: the block never costs more than the budget, by the counter in use; and the estimate errs high."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_kernel import KernelConfig, MemoryKernel
from memory_kernel.budget import estimate_tokens
from memory_kernel.formatting import MemoryFormatter
from tests.unit.test_formatting import item

MakeKernel = Callable[..., MemoryKernel]

COUNTERS: dict[str, Callable[[str], int]] = {
    "estimate": estimate_tokens,
    "characters": len,
    "words": lambda text: len(text.split()),
    "bytes": lambda text: len(text.encode()),
    "lines": lambda text: text.count("\n") + 1,
    "one": lambda text: 1,
    "nothing": lambda text: 0,
    "constant and more": lambda text: 50 + len(text) // 4,
}
FACTS = ["short", "a fact of middling length about trains", "long " * 60, "数字 and 🦊", "x" * 900]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Any:
    from memory_kernel.providers.memory import InMemoryProvider
    from tests.support.embedders import Words

    config = KernelConfig(data_dir=tmp_path_factory.mktemp("budget"), relevance_threshold=0)
    with MemoryKernel.open(config, provider=InMemoryProvider(), embeddings=Words(in_process=True)) as kernel:
        agent = kernel.register_agent("A", may_write={"profile", "task_context"}).bind("mira")
        for n, fact in enumerate(FACTS):
            agent.create_memory(fact, memory_type=("profile", "task_context")[n % 2])
        yield kernel, agent


@given(budget=st.one_of(st.integers(0, 400), st.integers(0, 4000)), counter=st.sampled_from(sorted(COUNTERS)))
@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_block_never_costs_more_than_the_budget_by_the_counter_in_use(
    filled: Any, monkeypatch: pytest.MonkeyPatch, budget: int, counter: str
) -> None:
    kernel, agent = filled
    count = COUNTERS[counter]
    injector = kernel._manager.parts.injector
    injector._count_tokens = count
    injector._config = kernel.config.model_copy(update={"token_budget": budget})
    injection = agent.inject("a question about trains")
    if injection.block:
        assert budget > 0
        assert count(injection.block) == injection.tokens <= budget
        assert len(injection.items) == sum(d.verdict == "injected" for d in injection.decisions)
    else:
        assert injection.tokens == 0
        assert injection.items == ()
    cheapest = min(count(kernel._formatter.block([i])) for i in agent.recall("trains"))
    assert bool(injection.block) == (budget > 0 and cheapest <= budget)


@pytest.mark.parametrize("counter", COUNTERS.values(), ids=COUNTERS.keys())
def test_a_budget_of_nothing_means_no_block(make_kernel: MakeKernel, counter: Callable[[str], int]) -> None:
    kernel = make_kernel(token_budget=0, token_counter=counter)
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("x", memory_type="profile")
    injection = agent.inject("x")
    assert (injection.block, injection.items, injection.tokens) == ("", (), 0)
    assert [m.type for m in injection.messages] == ["human"]


def test_an_item_that_is_too_large_is_skipped_and_not_the_rest(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(token_budget=120, token_counter=lambda text: len(text.split()))
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    agent.create_memory("trains " * 120, memory_type="profile")
    agent.create_memory("likes trains", memory_type="profile")
    injection = agent.inject("trains trains trains")
    assert [i.text for i in injection.items] == ["likes trains"]
    [kept, skipped] = injection.decisions
    assert (kept.verdict, skipped.verdict, skipped.rule) == ("injected", "dropped", "budget")
    assert "the budget is 120" in skipped.reason


def test_the_budget_is_taken_by_rank(make_kernel: MakeKernel) -> None:
    kernel = make_kernel(token_budget=60, token_counter=lambda text: len(text.split()))
    agent = kernel.register_agent("A", may_write={"profile"}).bind("mira")
    for n in range(8):
        agent.create_memory(f"item {n} " + "trains " * n + "filler " * (8 - n), memory_type="profile")
    ranked = [i.text for i in agent.recall("trains")]
    assert [i.text for i in agent.inject("trains").items] == ranked[: len(agent.inject("trains").items)]
    assert 0 < len(agent.inject("trains").items) < 8


# The estimate, against real tokenizers

TEXTS = {
    "english": """
The user prefers window seats on long flights and always books an aisle seat for trips under two hours.
Is a vegetarian and allergic to peanuts, so recipes with satay sauce are out of the question.
She works as a nurse at St. Mary's hospital and her shifts usually start at six in the morning.
Wants explanations to be short, with a code example in Python and no introduction.
Her daughter Ines turns seven in June, loves dinosaurs and wants a birthday party at the museum.
The staging server runs an old version of PostgreSQL, which is why the deployment keeps failing.
What is left to do for the quarterly report before the meeting with the board on Friday afternoon?
Please remind me to call the landlord about the broken heating before the end of the week.
He has been learning the cello for three years and practises every evening after dinner.
I'd rather not travel by plane; could you find a train that doesn't leave before ten o'clock?
Nevertheless, the committee unanimously recommended postponing the internationalization of the curriculum.
They moved from Chicago to Denver last March and still haven't unpacked the boxes in the basement.
""",
    "names and odd words": """
Mr. Szczepański met Dr. Nguyễn and Ms. Oyelaran-Ogunbanjo in Wrocław, then flew to Reykjavík via Kraków.
Uses Kubernetes, Terraform, PyTorch, NumPy, GraphQL, OAuth2, gRPC, WebAssembly and PostgreSQL daily.
Takes levothyroxine, metformin and atorvastatin; avoids ibuprofen, acetylsalicylic acid and codeine.
Likes Björk, Sigur Rós, Mötley Crüe, Beyoncé, Tchaikovsky, Rachmaninoff and Dvořák.
THE USER WROTE EVERYTHING IN CAPITAL LETTERS AND ASKED TO BE CALLED CAPTAIN.
""",
    "code": """
def estimate(text: str) -> int: return sum(len(part) for part in re.findall(r"[A-Za-z]+|\\d", text))
for (let i = 0; i < items.length; i++) { console.log(`${i}: ${items[i].name}`); }
SELECT u.name, count(*) FROM users u JOIN orders o ON o.user_id = u.id WHERE o.total > 100 GROUP BY 1;
git rebase -i HEAD~3 && git push --force-with-lease origin feature/memory-kernel
if __name__ == "__main__": raise SystemExit(main(sys.argv[1:]))
x = np.zeros((16, 256), dtype=np.float32)[:, ::-1].T @ w + b
<div class="card" id="main"><a href="/docs?page=2&sort=asc">Read more</a></div>
{"name": "mira", "tags": ["a", "b"], "nested": {"ok": true, "n": null}}
\tindented\twith\ttabs
        eight spaces, then twelve:            end
""",
    "digits": """
Order 4711-0815-99 was placed on 2026-03-14T15:09:26+01:00 and costs 1,299.95 EUR.
Phone +49 30 901820, IBAN DE89 3704 0044 0532 0130 00, invoice 20260000123.
pi is 3.14159265358979323846 and e is 2.71828182845904523536.
192.168.178.1, 10.0.0.0/8, fe80::1ff:fe23:4567:890a, 0x7fff5fbff8c0
""",
    "german": """
Übernachtet am liebsten in kleinen Pensionen und meidet große Hotelketten.
Verträgt keine Milchprodukte, isst aber gern scharf und probiert neue Gewürze aus.
Leitet das Projekt zur Umstellung der Lohnbuchhaltung und berichtet wöchentlich an die Geschäftsführung.
Die Haftpflichtversicherung der Straßenbahnhaltestelle wurde rückwirkend gekündigt.
Ich hätte gern, dass du mich morgen früh an den Zahnarzttermin erinnerst.
""",
    "french and spanish": """
Aime les comédies et déteste les films d'horreur ; s'entraîne trois fois par semaine pour un marathon.
A résilié le bail de son appartement à Lyon où il a vécu pendant près de dix années.
A su madre le gustan las plantas y la cerámica; ¿qué le regalo por su cumpleaños?
Estudia inglés por las noches con una aplicación y quiere mejorar su pronunciación.
""",
    "chinese": """
喜欢爬山和在郊外露营，周末常常带着孩子一起去。
在一家软件公司工作，老板喜欢简短的邮件，不喜欢长篇大论。
请提醒我明天下午三点给医生打电话，并且准备好体检报告。
用户对花生过敏，而且是素食主义者。
""",
    "japanese and korean": """
週末は家族と一緒に山へ登るのが好きで、肉は食べません。
来週の火曜日までに報告書を書き終える必要があります。
사용자는 서울에 살고 있으며 매일 아침 한강에서 달리기를 합니다.
""",
    "russian and arabic": """
Пользователь живёт в Москве, работает инженером и не любит длинных объяснений.
Предпочитает поезд самолёту и всегда бронирует место у окна.
المستخدم نباتي ويعيش في القاهرة ويفضل الرسائل القصيرة.
""",
    "emoji": """
Had a great day 🎉🎉 with the family 👨‍👩‍👧‍👦 at the beach 🏖️!
❤️ 🦊 🇵🇹 👍🏽 ¯\\_(ツ)_/¯ → ✓ ✗ … “quoted” – dash — long • bullet
""",
}


@cache
def tokenizer(name: str) -> Any:
    import tokenizers

    if name == "llama":
        import wordllama

        folder = Path(wordllama.__file__).parent / "tokenizers"
        return tokenizers.Tokenizer.from_file(str(folder / "l2_supercat_tokenizer_config.json"))
    return None


def real(text: str) -> int:
    return len(tokenizer("llama").encode(text, add_special_tokens=False).ids)


def lines(kind: str) -> list[str]:
    return [line for line in TEXTS[kind].split("\n") if line.strip()]


@pytest.mark.parametrize("kind", TEXTS)
def test_the_estimate_is_not_below_a_real_tokenizer(kind: str) -> None:
    low = {line: (estimate_tokens(line), real(line)) for line in lines(kind) if estimate_tokens(line) < real(line)}
    assert not low


def test_the_estimate_of_english_is_not_far_above_a_real_tokenizer() -> None:
    text = TEXTS["english"].strip()
    assert 1.0 <= estimate_tokens(text) / real(text) <= 1.6


def test_the_estimate_of_a_whole_block_is_not_below_a_real_tokenizer() -> None:
    block = MemoryFormatter().block([item(line) for kind in TEXTS for line in lines(kind)])
    assert estimate_tokens(block) >= real(block)
    assert estimate_tokens(block) <= 1.6 * real(block)


@given(st.text(st.characters(exclude_categories=())))
def test_the_estimate_takes_any_text_and_never_counts_less_for_more(text: str) -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens(text) >= 0
    assert estimate_tokens(text + "\nanother line") > estimate_tokens(text)


def test_the_estimate_is_cheap() -> None:
    import timeit

    text = TEXTS["english"] * 10
    ours = min(timeit.repeat(lambda: estimate_tokens(text), number=3, repeat=3))
    theirs = min(timeit.repeat(lambda: real(text), number=3, repeat=3))
    assert ours < theirs
    assert math.isfinite(ours)
