"""axe finds nothing serious on a page, and the bar follows the browser from light to dark."""

import pytest

PAGES = ("", "scores", "methods")

QUERY = "edit=b.layers&corpus=dogs&b=layers%3Dfirst%2Blast"


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_serious_in_light_and_dark(visit, name):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit(f"/{name}?{QUERY}", color_scheme="light")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(
            "name => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme === name",
            arg=scheme,
        )
        page.wait_for_timeout(1000)  # colours fade into each other
        found = axe.Axe().run(page).response["violations"]
        assert [
            f"{scheme}: {each['id']}: {node['target']} {node['failureSummary']}"
            for each in found
            if each["impact"] in ("serious", "critical")
            for node in each["nodes"]
        ] == []
