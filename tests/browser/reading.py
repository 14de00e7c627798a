"""Using a page in a real browser, and reading what it says."""

import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.browser.conftest import settle

A, B, SENTENCES = "Recipe A as text", "Recipe B as text", "Paste your own sentences, one per line"

IN_VIEW = """() => Object.fromEntries([...document.querySelectorAll('.js-plotly-plot')].filter(plot => {
  const {top, bottom} = plot.getBoundingClientRect();
  return bottom > 0 && top + 100 < window.innerHeight;
}).map(plot => [plot.closest('[class*="st-key-"]').className,
  JSON.stringify(plot.data, (_, value) => ArrayBuffer.isView(value) ? Array.from(value) : value)]))"""
"""The figures of which more than a strip can be seen without scrolling, and what they draw."""


def box(page, name: str):
    """A text box by its name; the text form of a recipe is there though its menu is closed."""
    return page.get_by_label(name, exact=True)


def cell(page, name: str):
    """The button of a cell, ``"b-layers"``, or of a name, ``"a"``, of which there is a hidden copy."""
    return page.locator(f".st-key-cell-{name} button:visible")


def pill(page, name: str):
    """An option in the editor of a stage."""
    return page.locator(".st-key-editor button:visible").filter(has_text=re.compile(f"^{name}$")).first


def option(page, name: str):
    """An option of a segmented control, or of pills, by its words."""
    either = (page.get_by_role(role, name=name, exact=True) for role in ("radio", "button"))
    return next(either).or_(next(either)).first


def chosen(page, key: str) -> str:
    """What a segmented control shows as chosen, by its key."""
    return page.locator(f".st-key-{key} [aria-checked=true]").inner_text()


def open_menu(page, side: str) -> None:
    """Open the menu of recipe ``a`` or ``b``, if it is closed."""
    if not page.locator(f".st-key-text-{side}").is_visible():
        cell(page, side).click()
        page.locator(f".st-key-text-{side}").wait_for(state="visible")
        settle(page)


def write(page, name: str, text: str) -> None:
    """Write into a text box and let the page answer."""
    if name in (A, B):
        open_menu(page, name[7].lower())
    box(page, name).fill(text)
    box(page, name).press("Control+Enter" if name == SENTENCES else "Enter")
    wait_for(page, lambda: query(page).get("sentences" if name == SENTENCES else name[7].lower()) == text)
    settle(page)


def wait_for(page, condition) -> None:
    """Until ``condition`` holds; a minute at most."""
    for _ in range(1200):
        if condition():
            return
        page.wait_for_timeout(50)
    pytest.fail(f"it never happened; the address is {page.url}")


def query(page) -> dict[str, str]:
    """What the address bar says."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def answer(page) -> dict[str, list[str]]:
    """Everything a page finds: headings, numbers and captions, but how far the bar's scores are."""
    return {
        "headings": page.locator('[data-testid="stMain"] h2').all_inner_texts(),
        "numbers": page.locator('[data-testid="stMetricValue"]').all_inner_texts(),
        "captions": page.locator(
            '[data-testid="stMain"] [data-testid="stCaptionContainer"]:not(.st-key-score-reads *)'
        ).all_inner_texts(),
    }


def save(page, name: str, within=None) -> tuple[str, bytes]:
    """The name and content of what a button downloads."""
    with page.expect_download() as waiting:
        (within or page).get_by_role("button", name=re.compile(name)).first.click()
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def open_files(page) -> None:
    """Open the menu of files of the first figure."""
    page.get_by_role("button", name=re.compile(r"Save$")).first.click()
    settle(page)
    page.frame_locator("iframe").first.get_by_role("button", name="PNG").wait_for()


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The figures in view that draw something else."""
    return [key for key in after if before.get(key) != after[key]]


def alerts(page) -> list[str]:
    """Errors and hints."""
    return page.locator('[data-testid="stAlert"]').all_inner_texts()
