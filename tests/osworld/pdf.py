"""Small PDF files for tests."""

from __future__ import annotations

import io

from pypdf import PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject


def pdf(*lines: str) -> bytes:
    """One page with these lines of plain ASCII text, which must hold no brackets."""
    writer = PdfWriter()
    page = writer.add_blank_page(595, 842)
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    fonts = DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    content = DecodedStreamObject()
    content.set_data(f"BT /F1 12 Tf 14 TL 50 800 Td {shown} ET".encode("ascii"))
    page[NameObject("/Contents")] = writer._add_object(content)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()
