"""Files of an installed package that the server hands out."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest


def address_of(package: str, folder: str, file: str) -> str:
    """Where the server hands out a file, from the page's base; another one for each version of the package.

    ``_stcore/bidi-components`` is where it hands out what components of version 2 bring along.
    """
    return f"_stcore/bidi-components/{package}.{folder}/{file}?{version(package)}"


def hand_out(package: str, folder: str, root: Path) -> None:
    """Have the server hand out a folder of a package that lies in ``root``.

    The folder is registered as that of a component of version 2 (``register_from_manifest``). A version
    that lacks it raises AttributeError, or ImportError when this module is imported, at the first page.
    """
    manager = get_bidi_component_manager()
    if manager.get(f"{package}.{folder}") is None:
        handed = ComponentConfig(name=folder, asset_dir=folder)
        manager.register_from_manifest(
            ComponentManifest(name=package, version=version(package), components=[handed]), root
        )
