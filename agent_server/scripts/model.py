"""What a script is: a task, parameters, steps with ways to find their elements, and an ending.

    {"format": "deskhand-script/1", "name": "new-invoice",
     "task": {"instruction": "Make a draft invoice for {customer}", ...},
     "parameters": [{"name": "customer", "value": "Cinder Media"}],
     "steps": [{"action": {"type": "click"}, "target": [{"role": "link", "name": "Invoices"}],
                "then": {"path": "/billing/invoices"}}, ...],
     "end": {"kind": "done"}}

Guarantees: a script that was read is whole: every {parameter} that a text names is there, every
action is one of `envs.contract.actions` once its values are filled in, and every step that acts on
an element says how to find it. Texts are data: values are put into them, and nothing is evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, model_validator

from agent_server.scripts.texts import fill, parameters_in
from envs.contract.actions import SimpleAction, Target, simple_action_adapter, why_invalid
from envs.contract.page_url import MAX_LENGTH, PAGE_URL
from envs.contract.secret import MAX_SECRETS, SecretName
from envs.contract.task import Domain, Env

FORMAT: Literal["deskhand-script/1"] = "deskhand-script/1"
NAME = r"^[a-z0-9][a-z0-9._-]{0,60}$"
PARAMETER = r"^[a-z_][a-z0-9_]{0,60}$"
MAX_STEPS, MAX_TEXT = 1000, 20_000
ON_ELEMENTS = frozenset({"click", "drag", "move", "set_value", "type"})
"""Actions that may have an element of their own."""
_ANY = Target(ref=1)

Text = Annotated[str, Field(max_length=MAX_TEXT)]
Role = Annotated[str, Field(min_length=1, max_length=40)]
Name = Annotated[str, Field(min_length=1, max_length=500)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Named(_Model):
    """The one element of this role and name."""

    role: Role
    name: Name


class Beginning(_Model):
    """The one element of this role whose name begins so: the rest changes from day to day."""

    role: Role
    begins: Name


class ByAttributes(_Model):
    """The one element of the page, in view or not, that a CSS selector matches."""

    css: Name


class Nearby(_Model):
    """The first element of this role after the first line of the page that is called `after`."""

    role: Role
    after: Name


class Placed(_Model):
    """The nth element of this role, where the page shows exactly `of` of them."""

    role: Role
    nth: int = Field(ge=1, le=10_000)
    of: int = Field(ge=1, le=10_000)

    @model_validator(mode="after")
    def _within(self) -> Self:
        if self.nth > self.of:
            raise ValueError(f"nth is {self.nth}, but there are {self.of}")
        return self


Selector = Named | Beginning | ByAttributes | Nearby | Placed
Selectors = Annotated[tuple[Selector, ...], Field(max_length=10)]


class Check(_Model):
    """What holds once a step has been done. `path`: of the page's address, where `*` stands for one
    part; `query`: parts that the address has, besides others; `shows`: how a line of the page
    begins."""

    path: Name | None = None
    query: dict[str, Text] = Field(default_factory=dict, max_length=50)
    shows: Name | None = None


class ScriptStep(_Model):
    """One action; `target`: ways to find its element, the best one first. Of a drag, `target` is
    what is dragged, and `onto` where it is dropped. `sends`: it sends a form; such steps are never
    repeated unless the page says that nothing was saved."""

    action: dict[str, JsonValue]
    target: Selectors = ()
    onto: Selectors = ()
    sends: bool = False
    form: Name | None = Field(None, description="CSS selector of the button that sends its form")
    then: Check = Check()
    thought: str = Field("", max_length=500, description="why, in the recorded agent's words")

    @property
    def texts(self) -> Iterator[str]:
        """All that may name parameters."""
        yield from _texts_of(self.action)
        for selector in (*self.target, *self.onto):
            yield from _texts_of(selector.model_dump())
        yield from _texts_of(self.then.model_dump())
        if self.form is not None:
            yield self.form

    def make_action(
        self, values: Mapping[str, str], target: Target | None, onto: Target | None = None
    ) -> SimpleAction:
        """The action with its values and elements. Raises pydantic.ValidationError."""
        data = fill_json(self.action, values)
        if self.onto:
            data["path"] = [target, onto]
        elif target is not None:
            data["target"] = target
        return simple_action_adapter.validate_python(data)

    @property
    def needs_element(self) -> bool:
        """Whether it acts on an element; else on what has the focus, or on the page."""
        return bool(self.target)


class Parameter(_Model):
    """A value that a replay may change. `value`: of the recorded run, and of a replay that says no
    other."""

    name: str = Field(pattern=PARAMETER)
    value: Text
    about: str = Field("", max_length=200, description="where it was typed or chosen")


class Done(_Model):
    """It ends as done; the answer is a text with parameters, or none."""

    kind: Literal["done"] = "done"
    answer: Text | None = None


class Read(_Model):
    """It ends as done, with an answer that is read from the last page: what stands on a line after
    `after` and before `before`, or the value of the field that is called `field`."""

    kind: Literal["read"] = "read"
    after: Text = ""
    before: Text = ""
    field: Name | None = None

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if (self.field is None) == (not self.after and not self.before):
            raise ValueError("say either `field`, or `after` or `before`")
        return self


class Infeasible(_Model):
    """It ends as impossible, as the recorded run did."""

    kind: Literal["infeasible"] = "infeasible"
    reason: Text = ""


End = Annotated[Done | Read | Infeasible, Field(discriminator="kind")]


class ScriptTask(_Model):
    """The task that it carries out: what the agent is told that takes over, and where it begins: in
    a gym's task, or on a page."""

    instruction: Annotated[str, Field(min_length=1, max_length=MAX_TEXT)]
    env: Env = "browser"
    gym: str | None = Field(None, max_length=100)
    template: str | None = Field(None, max_length=100)
    seed: int | None = Field(None, ge=0)
    start_url: str | None = Field(None, pattern=PAGE_URL, max_length=MAX_LENGTH)
    allow: tuple[Domain, ...] = ()
    secrets: tuple[SecretName, ...] = Field((), max_length=MAX_SECRETS)
    max_steps: int = Field(20, ge=1, le=1000)

    @model_validator(mode="after")
    def _one_place(self) -> Self:
        if self.gym is not None and (self.template is None or self.seed is None):
            raise ValueError("gym needs template and seed")
        if self.gym is not None and self.start_url is not None:
            raise ValueError("say either gym or start_url")
        return self


class Script(_Model):
    """A trajectory made replayable; see the module."""

    format: Literal["deskhand-script/1"] = FORMAT
    name: str = Field(pattern=NAME)
    version: int = Field(1, ge=1, description="one more each time it is mended")
    made_from: tuple[str, ...] = Field(
        (), max_length=100, description="ids of the episodes that it was made and mended from"
    )
    task: ScriptTask
    parameters: tuple[Parameter, ...] = Field((), max_length=100)
    steps: tuple[ScriptStep, ...] = Field(max_length=MAX_STEPS)
    end: End = Done()

    @property
    def examples(self) -> dict[str, str]:
        """The values of the recorded run."""
        return {parameter.name: parameter.value for parameter in self.parameters}

    @model_validator(mode="after")
    def _check_whole(self) -> Self:
        known = self.examples
        if len(known) != len(self.parameters):
            raise ValueError("two parameters have the same name")
        texts = [("task.instruction", self.task.instruction)]
        texts += [("end", text) for text in _texts_of(self.end.model_dump())]
        for number, step in enumerate(self.steps):
            texts += [(f"steps.{number}", text) for text in step.texts]
            self._check_action(number, step, known)
        for where, text in texts:
            for name in sorted(parameters_in(text) - known.keys()):
                raise ValueError(f"{where}: there is no parameter {{{name}}}")
        return self

    def _check_action(self, number: int, step: ScriptStep, known: Mapping[str, str]) -> None:
        if "target" in step.action or "path" in step.action:
            raise ValueError(f"steps.{number}: elements stand in `target` and `onto`")
        kind = step.action.get("type")
        if (kind == "drag") != bool(step.onto):
            raise ValueError(f"steps.{number}: `onto` goes with a drag, and a drag needs it")
        if step.target and kind not in ON_ELEMENTS:
            raise ValueError(f"steps.{number}: {str(kind)[:40]} acts on no element")
        try:
            step.make_action(known, _ANY if step.target else None, _ANY)
        except KeyError:
            return  # a parameter that is not there; it is told with the place that names it
        except ValidationError as error:
            raise ValueError(f"steps.{number}: {why_invalid(error)}") from error


class ScriptPlay(_Model):
    """A replay: the script, its values, and who takes over where it does not fit (`None`: nobody,
    the episode ends there)."""

    script: Script
    values: dict[str, Text] = Field(default_factory=dict, max_length=100)
    otherwise: str | None = Field(None, max_length=100)

    @model_validator(mode="after")
    def _check_values(self) -> Self:
        known = self.script.examples
        for name in self.values:
            if name not in known:
                names = ", ".join(known) or "none"
                raise ValueError(f"there is no parameter {name}; there are: {names}")
        return self

    @property
    def all_values(self) -> dict[str, str]:
        """A value for each parameter."""
        return self.script.examples | self.values


def fill_json(value: Any, values: Mapping[str, str]) -> Any:
    """JSON whose texts have their parameters all_values in; keys stay. Raises KeyError."""
    if isinstance(value, str):
        return fill(value, values)
    if isinstance(value, Mapping):
        return {key: fill_json(entry, values) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [fill_json(entry, values) for entry in value]
    return value


def _texts_of(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for entry in value.values():
            yield from _texts_of(entry)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _texts_of(entry)
