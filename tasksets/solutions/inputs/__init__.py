"""Files that OSWorld's and OfficeWorld's tasks download, made here so that they need no download.

Their own files are not part of this project. A start file holds what the instruction speaks of,
an expected file is computed from it in Python, not by the solution that is judged with it. A file
has the name that a task's address ends with, after the first eight characters of the folder's name:
"01b269ae/Student_Level_Fill_Blank.xlsx", or "/Food.docx" where there is no folder. Equal calls give
equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from tasksets.solutions.inputs.documents import DOCUMENTS
from tasksets.solutions.inputs.images import IMAGES
from tasksets.solutions.inputs.office_world_documents import OFFICE_WORLD_DOCUMENTS
from tasksets.solutions.inputs.office_world_slides import OFFICE_WORLD_SLIDES
from tasksets.solutions.inputs.sheets import SHEETS
from tasksets.solutions.inputs.slides import SLIDES

ID_CHARS = 8
INPUTS: Mapping[str, Callable[[], bytes]] = {
    **DOCUMENTS,
    **IMAGES,
    **SHEETS,
    **SLIDES,
    **OFFICE_WORLD_DOCUMENTS,
    **OFFICE_WORLD_SLIDES,
}


def input_name(url: str) -> str:
    """The name in `INPUTS` of the file at this address."""
    path = PurePosixPath(unquote(urlsplit(url).path))
    return f"{path.parent.name[:ID_CHARS]}/{path.name}"
