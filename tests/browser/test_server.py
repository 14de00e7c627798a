"""What a server tells whoever watches it, and its visitors."""

import urllib.request


def test_a_server_tells_health_and_numbers_and_the_guide_shows_them(visit, site):
    page = visit()
    page.locator("button:visible", has_text="Guide").click()
    page.get_by_text("2 places, 1 of them for long work").wait_for()
    with urllib.request.urlopen(f"{site}/_stcore/health", timeout=10) as answer:
        assert answer.read() == b"ok"
    with urllib.request.urlopen(f"{site}/_stcore/metrics", timeout=30) as answer:
        lines = answer.read().decode().splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert int(values["active_sessions"]) >= 1
    assert int(values['strata_jobs_ended_total{state="done"}']) >= 1
    assert float(values["strata_resident_bytes"]) > 1e8
    assert 'strata_store_bytes{kind="passes"}' in values


def test_a_stranger_has_nothing_of_who_came_before(visitors):
    keep = "() => { localStorage.name = 'Ann'; document.cookie = 'name=Ann'; sessionStorage.name = 'Ann' }"
    kept = "() => [localStorage.name, document.cookie.includes('name=Ann'), sessionStorage.name]"
    for _ in range(2):
        page = visitors.stranger().new_page()
        page.goto(f"{visitors.site}/_stcore/health")
        assert page.evaluate(kept) == [None, False, None]
        page.evaluate(keep)
        assert page.evaluate(kept) == ["Ann", True, "Ann"]
        page.close()
