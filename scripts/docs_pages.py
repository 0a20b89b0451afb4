"""Generated pages of the documentation site; a hook of mkdocs.yml.

Guarantees: the CLI reference comes from the commands, the configuration reference from the pydantic
models, the HTTP reference from the OpenAPI document, the API reference from docstrings. Links from
CHANGELOG, CONTRIBUTING and SECURITY to files outside docs/ lead to the repository.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pydantic import BaseModel

ROOT = Path(__file__).resolve().parents[1]
API_FOLDERS = {
    "Contract and clients": ("envs/contract", "envs/client.py", "envs/dialects", "envs/providers"),
    "Web gyms": ("envs/gyms/kit",),
    "Agents and policies": ("agent_server/agents", "agent_server/policy", "agent_server/episodes"),
    "Evaluation": ("agent_server/evaluation/figures",),
    "Trainer": ("trainer",),
}
"""Sections of the API reference and the folders or modules that they document."""
ROOT_PAGES = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}
ROOT_PAGES["SECURITY.md"] = "security.md"
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)\s]+)\)")


@dataclass(frozen=True)
class Module:
    """A module of the API reference and the first line of its docstring."""

    name: str
    summary: str

    @property
    def page(self) -> str:
        return f"reference/api/{self.name}.md"


def api_modules(paths: Iterable[str], root: Path = ROOT) -> list[Module]:
    """The documented modules in folders, by name; a path that does not exist is an error."""
    modules = []
    for path in paths:
        if not (root / path).exists():
            raise FileNotFoundError(f"API reference: there is no {path}")
        files = [root / path] if path.endswith(".py") else sorted((root / path).glob("*.py"))
        for file in files:
            docstring = ast.get_docstring(ast.parse(file.read_text()))
            if docstring and not file.name.startswith("__"):
                name = ".".join(file.relative_to(root).with_suffix("").parts)
                modules.append(Module(name, docstring.splitlines()[0]))
    return modules


def api_index(sections: Mapping[str, list[Module]]) -> str:
    lines = ["# API reference", "", "Generated from the docstrings.", ""]
    for title, modules in sections.items():
        lines += [f"## {title}", "", "| module | purpose |", "|---|---|"]
        lines += [
            f"| [`{module.name}`]({module.name}.md) | {cell(module.summary)} |"
            for module in modules
        ]
        lines.append("")
    return "\n".join(lines)


def cell(text: Any) -> str:
    """Text that cannot end a table's cell or line, nor begin a tag."""
    return escape_tags(" ".join(str(text).split()).replace("|", "\\|"))


def code(text: Any) -> str:
    """Text as code in a table's cell; empty text stays empty."""
    words = " ".join(str(text).split()).replace("|", "\\|")
    if "`" in words:
        return f"`` {words} ``"
    return f"`{words}`" if words else ""


def field_rows(
    model: type[BaseModel], prefix: str = "", whole: bool = False
) -> list[tuple[str, str, str]]:
    """Key, default and description of each field; nested models by dotted keys, or `whole`, as a
    variable holds them."""
    rows = []
    for name, field in model.model_fields.items():
        annotation = field.annotation
        if not whole and isinstance(annotation, type) and issubclass(annotation, BaseModel):
            rows += field_rows(annotation, f"{prefix}{name}.")
            continue
        value = field.get_default(call_default_factory=True)
        default = "required" if field.is_required() else _default(value)
        rows.append((f"{prefix}{name}", default, field.description or ""))
    return rows


def _default(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, BaseModel):
        return value.model_dump_json()
    return json.dumps(value, default=str) if value not in ("", (), {}) else "empty"


def field_table(model: type[BaseModel], prefix: str = "") -> str:
    rows = ["| key | default | meaning |", "|---|---|---|"]
    rows += [
        f"| {code(key)} | {code(default)} | {cell(meaning)} |"
        for key, default, meaning in field_rows(model, prefix)
    ]
    return "\n".join(rows)


def configuration_page() -> str:
    """Every key of the files and variables that configure a process."""
    from agent_server.agents.config import KINDS
    from agent_server.settings import ClientSettings, CommandSettings, Settings
    from envs.io.settings import PREFIX, EnvSettings
    from envs.providers.boxes import DockerConfig
    from envs.providers.qemu_process import QemuConfig
    from trainer.config import TrainConfig
    from trainer.reading.config import ReaderConfig

    rows = {
        f"| `{PREFIX}{key.upper()}` | {code(default)} | {cell(meaning)} |": None
        for model in (Settings, CommandSettings, ClientSettings, EnvSettings)
        for key, default, meaning in field_rows(model, whole=True)
    }
    variables = ["| variable | default | meaning |", "|---|---|---|", *rows]
    parts = [
        "# Configuration",
        "Generated from the pydantic models. `empty` and `none` mean: not set.",
        "## Environment variables",
        "Every process reads them. A value may come from the file that `VARIABLE_FILE` names.",
        "\n".join(variables),
        "## Training",
        "`deskhand train --config FILE.toml --set KEY=VALUE`; `[phase.NAME]` overrides the section "
        "of a phase's kind.",
        field_table(TrainConfig),
        "## Pre-training",
        "`deskhand pretrain --config FILE.toml --set KEY=VALUE`.",
        field_table(ReaderConfig),
        "## Agents",
        "A TOML or JSON file for `deskhand eval --policy FILE`: see [agents](../agents.md).",
    ]
    for dialect, model in KINDS.items():
        parts += [f'### `dialect = "{dialect}"`', field_table(model)]
    parts += ["## Docker boxes", field_table(DockerConfig)]
    parts += ["## QEMU machines", field_table(QemuConfig)]
    return "\n\n".join(parts) + "\n"


def cli_page() -> str:
    """Every command with its arguments and options."""
    import typer
    from typer.cli import get_docs_for_click

    from agent_server.cli.main import load_commands

    command: Any = typer.main.get_command(load_commands())
    text = get_docs_for_click(
        obj=command, ctx=typer.Context(command), name="deskhand", title="Command line"
    )
    return escape_tags(text)


def escape_tags(text: str) -> str:
    """Markdown in which no `<` outside code begins a tag."""
    return re.sub(r"`[^`]*`|<", lambda match: "&lt;" if match[0] == "<" else match[0], text)


def http_page(document: Mapping[str, Any]) -> str:
    """Every route of an OpenAPI document: parameters, body and answers."""
    parts = [
        "# HTTP API",
        f"{document['info']['description']} Every route but `/v1/health` and "
        "`/v1/ready` requires the API key, as "
        "`Authorization: Bearer KEY` or `X-API-Key`. Errors are problem details (RFC 9457). "
        "A running server shows the same document at `/docs` (a browser sends the key as "
        "password); [openapi.json](openapi.json) is for client generators.",
    ]
    for path, methods in document["paths"].items():
        for method, route in methods.items():
            parts += [f"## `{method.upper()} {path}`", *_route(route)]
    parts.append("# Schemas")
    for name, schema in sorted(document["components"]["schemas"].items()):
        parts += [f"## `{name}`", *_schema(schema)]
    return "\n\n".join(parts) + "\n"


def _route(route: Mapping[str, Any]) -> list[str]:
    parts = [tidy(route.get("description") or route.get("summary", ""))]
    parameters = route.get("parameters", [])
    if parameters:
        rows = ["| parameter | in | type | meaning |", "|---|---|---|---|"]
        rows += [
            f"| `{parameter['name']}` | {parameter['in']} | {code(_type(parameter['schema']))} "
            f"| {cell(parameter.get('description', ''))} |"
            for parameter in parameters
        ]
        parts.append("\n".join(rows))
    body = route.get("requestBody")
    if body:
        parts.append(f"Body: {code(_content(body))}")
    answers = ["| status | answer | meaning |", "|---|---|---|"]
    answers += [
        f"| {status} | {code(_content(answer))} | {cell(answer.get('description', ''))} |"
        for status, answer in route["responses"].items()
    ]
    return [*parts, "\n".join(answers)]


def _content(holder: Mapping[str, Any]) -> str:
    kinds = holder.get("content", {})
    return ", ".join(_type(kind.get("schema", {})) or name for name, kind in kinds.items())


def _schema(schema: Mapping[str, Any]) -> list[str]:
    parts = [tidy(schema["description"])] if schema.get("description") else []
    properties = schema.get("properties")
    if not properties:
        return [*parts, f"Type: {code(_type(schema) or 'any')}"]
    required = schema.get("required", [])
    rows = ["| field | type | meaning |", "|---|---|---|"]
    rows += [
        f"| `{name}`{' (required)' if name in required else ''} | {code(_type(part))} "
        f"| {cell(part.get('description', ''))} |"
        for name, part in properties.items()
    ]
    return [*parts, "\n".join(rows)]


def _type(schema: Mapping[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    for key in ("anyOf", "oneOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(_type(part) for part in schema[key]))
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " or ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"array of {_type(schema.get('items', {})) or 'any'}"
    return str(schema.get("type", ""))


def tidy(text: str) -> str:
    """A docstring as a Markdown paragraph without tags."""
    return escape_tags("\n".join(line.strip() for line in text.splitlines()))


def root_page(text: str, repository: str) -> str:
    """A page from outside docs/: links into docs/ become relative, others lead to `repository`."""

    def target(match: re.Match[str]) -> str:
        path, mark, anchor = match.group(1).partition("#")
        if path in ROOT_PAGES:
            return f"]({ROOT_PAGES[path]}{mark}{anchor})"
        if path.startswith("docs/"):
            return f"]({path.removeprefix('docs/')}{mark}{anchor})"
        return f"]({repository}/blob/main/{path}{mark}{anchor})"

    return LINK.sub(target, text)


def sections() -> dict[str, list[Module]]:
    return {title: api_modules(paths) for title, paths in API_FOLDERS.items()}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Puts the modules of the API reference below it in the navigation."""
    sys.path.insert(0, str(ROOT))
    pages: list[Any] = ["reference/api/index.md"]
    for title, modules in sections().items():
        pages.append({title: [{module.name: module.page} for module in modules]})
    for item in config.nav or []:
        if "Reference" in item:
            item["Reference"].append({"Python API": pages})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the generated pages."""
    from agent_server.api.app import create_app
    from agent_server.settings import Settings

    document = create_app(Settings()).openapi()
    groups = sections()
    pages = {
        "reference/cli.md": cli_page(),
        "reference/configuration.md": configuration_page(),
        "reference/http.md": http_page(document),
        "reference/openapi.json": json.dumps(document, indent=1),
        "reference/api/index.md": api_index(groups),
    }
    for module in (module for modules in groups.values() for module in modules):
        pages[module.page] = f"# {module.name}\n\n::: {module.name}\n"
    for source, page in ROOT_PAGES.items():
        pages[page] = root_page((ROOT / source).read_text(), (config.repo_url or "").rstrip("/"))
    for page, content in pages.items():
        files.append(File.generated(config, page, content=content))
    return files
