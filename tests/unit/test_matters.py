"""Which instructions are about the same matter: the newer of two takes the place of the older."""

from __future__ import annotations

import pytest

from nodes.matters import PREFIX, is_instruction, replaced, same_matter, slot_of

SAME = [
    ("End constant names with '_k'", "From now on, end constant names with '_const'"),
    ("Start your view names with 'v_'", "I want you to start view names with 'vw_'"),
    ("When naming tables, start the names with 't_'", "Please start all table names with 'tb_'"),
    ("For enum names, please end them with 'Kind'", "Going forward, I'd like you to end enum names with 'Type'"),
    ("Prefix hook names with 'use'", "Hook names should now begin with 'with'"),
    ("Append '_tmp' to the names of folders", "Folder names have to end with '_old'"),
    ("Always use PascalCase for component names", "Use kebab-case for component names"),
    ("Write module names in lower case", "We now use CamelCase for module names"),
    ("Include a digit in label names", "Never include a digit in label names"),
    ("When naming the columns of your tables, start the name with 'c_'", "Start column table names with 'k_'"),
    ("Always use a spell checker", "Never use a spell checker"),
    ("I want you to avoid using a calculator", "From now on, I want you to always use a calculator"),
    ("Always include captions in figures", "You no longer need captions in figures"),
    ("Use docstrings in tests", "You can forget about docstrings in tests"),
    ("Add a header comment to every script", "Never add a header comment to scripts"),
    ("Use a paper calendar", "I'd like you to use a paper calendar for all your appointments"),
    ("Use Sublime as your preferred editor", "I'd like you to use Zed as your preferred editor"),
    ("Our planning tool is Wrike", "We'll be using Basecamp as our planning tool"),
    ("Use a tablet as your main computer", "Use a desktop as your main computer from now on"),
    ("Always use the shared drive for reports", "Stop using the shared drive for reports"),
    ("Commit to Mercurial", "We've switched from Mercurial to Fossil"),
    ("Use the '@frozen' decorator on records", "Never use the '@frozen' decorator on records"),
    ("Import the 'json' module in every script", "There is no need to import the 'json' module in scripts"),
    ("Send the report on Fridays", "Send the report on Mondays"),
    ("Take five days of leave a year", "Take at least ten days of leave a year"),
    ("Keep lines below 80 characters", "Keep lines below 120 characters"),
    ("Use tabs for indentation", "Don't use tabs for indentation"),
    ("Sign my letters with 'Yours'", "Never sign my letters"),
]
DIFFERENT = [
    ("Start constant names with 'k_'", "End constant names with '_k'"),
    ("End function names with '_f'", "End method names with '_f'"),
    ("End argument names with '_a'", "End function argument names with '_a'"),
    ("Start view names with 'v_'", "Use PascalCase for view names"),
    ("Include a digit in label names", "End label names with '_l'"),
    ("Use docstrings in functions", "Use docstrings in methods"),
    ("Always include captions in figures", "Always include captions in tables"),
    ("Include try statements in scripts", "Include assert statements in scripts"),
    ("Add the '@frozen' decorator to every record", "Add the '@cached' decorator to every record"),
    (
        "Use the '@a' decorator from the 'tools' module for all classes",
        "Use the '@b' decorator from the 'tools' module for all classes",
    ),
    ("Import the 'json' module in every script", "Import the 'csv' module in every script"),
    ("Use a debugger", "Use a formatter"),
    ("Never use a debugger", "Never use a spell checker"),
    ("Use Sublime as your preferred editor", "Use Bash as your preferred shell"),
    ("Our planning tool is Wrike", "Our chat platform is Zulip"),
    ("Use a password manager", "Use a task manager"),
    ("Give temperatures in Celsius", "Write dates in ISO format"),
    ("Answer in short sentences", "Ask before you answer"),
    ("Send the report on Fridays", "Water the plants on Fridays"),
    ("Leave out nuts in recipes", "Scale recipes to four portions"),
    ("Call me by my first name", "Call guests by their surname"),
    ("Keep lines below 80 characters", "Keep functions below 30 lines"),
    ("Book aisle seats", "Book hotels near the venue"),
    ("Wear a badge at all times", "Wear safety glasses in the workshop"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_two_instructions_about_one_matter_are_known_whichever_came_first(one: str, other: str) -> None:
    assert same_matter(other, one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_instructions_about_two_matters_stand_beside_each_other(one: str, other: str) -> None:
    assert not same_matter(other, one)
    assert not same_matter(one, other)


@pytest.mark.parametrize("text", sorted({text for pair in SAME + DIFFERENT for text in pair}))
def test_an_instruction_is_about_the_same_matter_as_itself(text: str) -> None:
    assert same_matter(text, text)


def test_the_newest_of_several_is_replaced() -> None:
    older = ["End view names with '_v'", "Start view names with 'v_'", "End view names with '_w'"]
    assert replaced("End view names with '_x'", older) == 2
    assert replaced("Start view names with 'x_'", older) == 1
    assert replaced("End table names with '_x'", older) is None


def test_a_slot_names_no_word_of_its_instruction_and_is_the_same_for_the_same_words() -> None:
    slot = slot_of("Never mention Rumpelstiltskin")
    assert slot.startswith(PREFIX)
    assert is_instruction(slot)
    assert "rumpel" not in slot
    assert slot == slot_of("never mention  rumpelstiltskin!")
    assert slot != slot_of("Never mention Cinderella")
    assert not is_instruction("preferred_language")
    assert not is_instruction(None)
