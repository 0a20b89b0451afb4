"""The getter of assets: files of the task's mirror, or of the internet, never of networks of ours:
this runs in the worker, and the task says the address."""

from __future__ import annotations

from pathlib import Path

import aiohttp

from envs.io.fetch import Bounds
from envs.io.public_network import public_connector
from envs.osworld.format.assets import asset_url
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters, listed_parameter, select_files
from envs.osworld.format.mirror import fetch_asset
from envs.state.evidence import MAX_FILE

BOUNDS = Bounds(MAX_FILE, quiet_s=8.0, whole_s=30.0, tries=2)


async def cloud_file(machine: None, ending: Ending, parameters: Parameters) -> Path | list[Path]:
    """An asset under its name `dest`; with `multi` a list of them, or of those whose indices
    `gives` lists, all in one folder. Raises FetchError for an asset that is neither in the mirror
    nor on the network, ValueError for an address without a name."""
    urls = listed_parameter(parameters, "path")
    names = listed_parameter(parameters, "dest")
    if len(urls) != len(names):
        raise ValueError(f"cloud_file: {len(urls)} addresses, but {len(names)} names")
    folder = ending.make_folder()
    paths = [folder / Path(name).name for name in names]
    async with aiohttp.ClientSession(connector=public_connector()) as http:
        for url, name, path in zip(urls, names, paths, strict=True):
            await fetch_asset(http, asset_url(url, name), path, BOUNDS)
    return select_files(paths, parameters)
