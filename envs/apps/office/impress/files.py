"""Impress tools that save and export, and those that set how LibreOffice saves and presents."""

from __future__ import annotations

from typing import Any

from envs.apps.office import saving
from envs.apps.office.documents import Office
from envs.apps.office.impress.shapes import page_at
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.settings import configure
from envs.apps.office.uno_values import file_url, property_value, property_values

IMAGES = {
    "png": "impress_png_Export",
    "jpg": "impress_jpg_Export",
    "jpeg": "impress_jpg_Export",
    "svg": "impress_svg_Export",
}

tools = ToolGroup("impress")


@tools.tool("impress.save", timeout_s=20)
def save(doc: Any) -> str:
    """Saves the presentation to its own file; gives the path."""
    return saving.save(doc)


@tools.tool("impress.save_as", timeout_s=20)
def save_as(doc: Any, path: str) -> str:
    """Saves the presentation as another file, which it then is: .pptx, .odp, .ppt.

    For .pdf and .html it only writes a copy.
    """
    return saving.save_as(doc, path)


@tools.tool("impress.export_image", timeout_s=20)
def export_image(doc: Any, slide: int, path: str, width_px: int = 1280) -> None:
    """Writes a slide as a picture: .png, .jpg or .svg."""
    page = page_at(doc, slide)
    filter_name = IMAGES.get(saving.extension_of(path))
    if filter_name is None:
        raise OfficeError("bad_value", f"{path}: a picture file ends in .png, .jpg or .svg")
    if not 16 <= width_px <= 8192:
        raise OfficeError("bad_value", f"width_px is 16 to 8192, not {width_px}")
    saving.check_folder(path)
    size = (
        property_value("PixelWidth", width_px),
        property_value("PixelHeight", round(width_px * page.Height / page.Width)),
    )
    controller = doc.getCurrentController()
    shown = controller.getCurrentPage()
    controller.setCurrentPage(page)
    try:
        doc.storeToURL(
            file_url(path),
            (
                property_value("FilterName", filter_name),
                property_value("FilterData", property_values(size)),
            ),
        )
    finally:
        controller.setCurrentPage(shown)


@tools.tool("impress.auto_save", kind="office")
def auto_save(office: Office, minutes: int | None) -> None:
    """Has LibreOffice save recovery information every so many minutes; null switches that off."""
    if minutes is not None and not 1 <= minutes <= 60:
        raise OfficeError("bad_value", f"minutes is 1 to 60, not {minutes}")
    recovery: dict[str, Any] = {"Enabled": minutes is not None}
    saving: dict[str, Any] = {"AutoSave": minutes is not None}
    if minutes is not None:
        recovery["TimeIntervall"] = saving["AutoSaveTimeIntervall"] = minutes
    configure("/org.openoffice.Office.Recovery/AutoSave", recovery)
    configure("/org.openoffice.Office.Common/Save/Document", saving)


@tools.tool("impress.presenter_console", kind="office")
def presenter_console(office: Office, enabled: bool) -> None:
    """Switches the presenter console, which the speaker sees on a second screen, on or off."""
    node = "/org.openoffice.Office.Impress/Misc/Start"
    configure(node, {"EnablePresenterScreen": enabled})
