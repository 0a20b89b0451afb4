"""How task programs are worded.

`<noun>`, `<label1>` and the like are filled in when a program is made; {slots} when a task is.
"""

from __future__ import annotations

PHRASINGS: dict[str, tuple[str, ...]] = {
    "create": (
        "Create <a noun> with {details}.",
        "There is a new <noun> to enter: {details}.",
        "Add this to the <nouns>: {details}.",
        "<A noun> is missing. Register it with {details}.",
    ),
    "edit": (
        "Change the <label1> of the <noun> {name} to {value}.",
        "Set <label1> to {value} for {name} in the <nouns>.",
        "The <label1> of <noun> {name} is wrong. It should be {value}.",
        "Give the <noun> {name} the <label1> {value}.",
    ),
    "edit_two": (
        "For the <noun> {name}, set <label1> to {value} and <label2> to {value2}.",
        "Change the <noun> {name}: <label1> is now {value}, <label2> is {value2}.",
        "Correct two entries of {name} in the <nouns>: <label1> {value} and <label2> {value2}.",
    ),
    "edit_found": (
        "Find the <noun> with <label1> {a} and <label2> {b}, and change its <label3> to {value}.",
        "There is <a noun> whose <label1> is {a} and whose <label2> is {b}. Set its <label3> to "
        "{value}.",
        "Set <label3> to {value} for the only <noun> with <label2> {b} and <label1> {a}.",
    ),
    "edit_twins": (
        "Set <label1> to {value} for both {name} and {name2} in the <nouns>.",
        "The <nouns> {name} and {name2} both get the <label1> {value}.",
        "Change the <label1> of two <nouns> to {value}: {name} and {name2}.",
    ),
    "link": (
        "Assign the <noun> {name} to the <label1> {value}.",
        "The <label1> of <noun> {name} should be {value}.",
        "Hand {name} of the <nouns> over to {value} as its <label1>.",
    ),
    "link_found": (
        "The <noun> with <label1> {a} and <label2> {b} should have {value} as its <label3>.",
        "Find the <noun> whose <label2> is {b} and whose <label1> is {a}. Its <label3> becomes "
        "{value}.",
        "Make {value} the <label3> of the <noun> that has <label1> {a} and <label2> {b}.",
    ),
    "copy": (
        "Set the <label3> of the <noun> {name} to the <label2> of its <label1>.",
        "Look up the <label2> of the <label1> of {name}, and enter it as the <label3> of that "
        "<noun>.",
        "The <label3> of <noun> {name} should be the same as the <label2> of its <label1>.",
    ),
    "step": (
        '"<verb>" is due for the <noun> {name}. Do it.',
        'Use "<verb>" on the <noun> {name}.',
        "The <noun> {name} should now be <goal>.",
        "Move {name} in the <nouns> on to <goal>.",
    ),
    "step_found": (
        'Use "<verb>" on the <noun> with <label1> {a} and <label2> {b}.',
        "The <noun> whose <label1> is {a} and whose <label2> is {b} should now be <goal>.",
        "Find the <noun> that has <label2> {b} and <label1> {a}, and move it on to <goal>.",
    ),
    "step_extreme": (
        'Of the <nouns> that are <source>, use "<verb>" on the one with the {extreme} <label1>.',
        "Make the <noun> with the {extreme} <label1> <goal>, of those that are <source>.",
        "Which of the <source> <nouns> has the {extreme} <label1>? Move that one on to <goal>.",
    ),
    "step_twice": (
        'Take the <noun> {name} two steps further: "<verb>", then "<verb2>".',
        "The <noun> {name} should become <goal2>, by way of <goal>.",
        "Move {name} in the <nouns> on to <goal> and then to <goal2>.",
    ),
    "step_all": (
        'Use "<verb>" on every <noun> that is <source> and has <label1> {a}.',
        "All <nouns> with <label1> {a} that are <source> should now be <goal>.",
        "Make the <nouns> <goal> whose <label1> is {a}, as far as they are <source>.",
    ),
    "delete": (
        "Delete the <noun> {name}.",
        "Remove {name} from the <nouns>.",
        "The <noun> {name} is no longer needed. Take it off the list for good.",
    ),
    "delete_found": (
        "Delete the <noun> whose <label1> is {a} and whose <label2> is {b}.",
        "Remove the only <noun> with <label2> {b} and <label1> {a}.",
        "Get rid of the <noun> that has <label1> {a} and <label2> {b}.",
    ),
    "lookup": (
        "What is the <label1> of the <noun> {name}?",
        "Tell me the <label1> of {name} in the <nouns>.",
        "I need to know the <label1> of <noun> {name}.",
    ),
    "lookup_found": (
        "What is the <label3> of the <noun> with <label1> {a} and <label2> {b}?",
        "Find the <noun> whose <label1> is {a} and whose <label2> is {b}. Tell me its <label3>.",
        "Which <label3> does the <noun> have whose <label2> is {b} and <label1> {a}?",
    ),
    "lookup_hop": (
        "What is the <label2> of the <label1> of the <noun> {name}?",
        "Look up the <label1> of <noun> {name} and tell me its <label2>.",
        "The <noun> {name} has a <label1>. What <label2> does that one have?",
    ),
    "count": (
        "How many <nouns> have the <label1> {a}? Answer with a number.",
        "Count the <nouns> whose <label1> is {a}.",
        "Tell me the number of <nouns> with <label1> {a}.",
    ),
    "sum": (
        "What is the total <label2> of the <nouns> whose <label1> is {a}?",
        "Add up the <label2> of all <nouns> with <label1> {a}.",
        "Tell me the sum of <label2> over the <nouns> that have <label1> {a}.",
    ),
    "extreme": (
        "Which <noun> with <label1> {a} has the {extreme} <label2>? Answer with its <name label>.",
        "Among the <nouns> whose <label1> is {a}, which one has the {extreme} <label2>? Give its "
        "<name label>.",
        "Tell me the <name label> of the <noun> with the {extreme} <label2>, of those with "
        "<label1> {a}.",
    ),
}
SAME_WORDS = {"refused_delete": "delete", "refused_step": "step", "refused_edit": "edit"}
"""What cannot be done is asked for in the same words as what can."""


def word_program(kind: str, words: dict[str, str]) -> tuple[str, ...]:
    """The phrasings of a kind; `words` by what stands in angle brackets."""
    texts = []
    for text in PHRASINGS[SAME_WORDS.get(kind, kind)]:
        for slot, word in words.items():
            text = text.replace(f"<{slot}>", word)
        texts.append(text)
    return tuple(texts)
