"""The studio of a simulation: its page is served, not framed, and has the scene with its overrides."""

from __future__ import annotations

import re
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path

import pytest

import windlass as wl

#: In the page that stands for the studio's until that is built.
PLACEHOLDER = "was built without its page"


def test_a_view_is_a_picture_and_a_link_to_the_studio(crane: Path) -> None:
    simulation = wl.load(crane, set={"bodies.load.mass": "3 t"})
    view = simulation.view()
    try:
        shown = view._repr_html_()
        # a page that is framed is refused by browsers
        assert "<iframe" not in shown and shown.startswith("<div><svg")
        assert f'href="{view.url}" target="_blank" rel="noopener noreferrer"' in shown and view.url in repr(view)
        jar = CookieJar()
        client = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar), urllib.request.ProxyHandler({}))
        with client.open(view.url, timeout=20) as answer:
            page, headers, address = answer.read().decode(), answer.headers, answer.url
        assert "token" not in address and len(jar) == 1 and "Windlass studio" in page
        assert headers["X-Frame-Options"] == "DENY" and "frame-ancestors 'none'" in headers["Content-Security-Policy"]
        # from a link on the page of a notebook: no redirect, along which a browser would not send the cookie
        linked = urllib.request.Request(view.url, headers={"Sec-Fetch-Site": "cross-site"})
        with client.open(linked, timeout=20) as answer:
            assert 'content="0;url=/"' in answer.read().decode() and "Strict" in answer.headers["Set-Cookie"]
        if PLACEHOLDER in page:
            pytest.skip("the page is not built: npm run build in crates/studio/web")
        script = re.search(r'src="\.?(/assets/[^"]+\.js)"', page)
        assert script, page
        with client.open(address.rstrip("/") + script[1], timeout=20) as answer:
            assert answer.status == 200 and "javascript" in answer.headers["Content-Type"]
    finally:
        view.close()
    assert "closed" in repr(view)
    view.close()


def test_a_scene_that_the_studio_cannot_read_is_an_error(crane: Path) -> None:
    simulation = wl.load(crane)
    crane.write_text("windlass = 2\n[bodies.load]\nmas = 1\n")
    with pytest.raises(RuntimeError, match="did not start"):
        simulation.view()
