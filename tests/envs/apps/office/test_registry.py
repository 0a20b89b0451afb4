from __future__ import annotations

from envs.apps.office.registry import DEFAULT_TIMEOUT_S, OfficeError, ToolGroup


def test_a_group_lists_its_tools_in_the_order_of_their_definition() -> None:
    tools = ToolGroup("impress")

    @tools.tool("impress.save", timeout_s=20)
    def save(doc: object) -> str:
        return "saved"

    @tools.tool("impress.auto_save", kind="office")
    def auto_save(office: object) -> None:
        pass

    assert [(tool.name, tool.kind, tool.timeout_s) for tool in tools] == [
        ("impress.save", "impress", 20),
        ("impress.auto_save", "office", DEFAULT_TIMEOUT_S),
    ]
    assert save(None) == "saved"
    assert next(iter(tools)).function is save


def test_an_error_has_a_reason_and_a_message() -> None:
    error = OfficeError("not_found", "there is no sheet")
    assert (error.reason, str(error)) == ("not_found", "there is no sheet")
