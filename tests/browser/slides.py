"""A figure as a slide: the picture that is saved."""

from xml.etree import ElementTree

from tests.browser.reading import open_files, save


def nothing_lies_over_anything_else(page) -> None:
    """Title above, figure in the middle, caption below, whatever the first figure has around its axes."""
    open_files(page)
    picture = page.frame_locator("iframe").first
    _, content = save(page, "^SVG", picture)
    slide = ElementTree.fromstring(content)
    space = "{http://www.w3.org/2000/svg}"
    figure = next(child for child in slide if child.tag == f"{space}svg")
    top, height = float(figure.get("y")), float(figure.get("height"))
    texts = slide.findall(f"{space}text")
    lines = [(float(text.get("y")), float(text.get("font-size"))) for text in texts]
    title = [line for line in lines if line[0] < top]
    caption = [line for line in lines if line[0] - line[1] >= top + height]
    assert title
    assert caption
    assert len(title) + len(caption) == len(lines)
    assert max(line for line, _ in lines) < 900
    assert (slide.get("width"), slide.get("height")) == ("1600", "900")
    fonts = [f"{text.get('font-weight')} {text.get('font-size')}px" for text in texts]
    wide = page.evaluate(
        """(lines) => { const pen = document.createElement("canvas").getContext("2d");
        return Math.max(...lines.map(([text, size]) => {
          pen.font = `${size} Helvetica, Arial, 'Liberation Sans', sans-serif`;
          return pen.measureText(text).width; })); }""",
        [[text.text, font] for text, font in zip(texts, fonts, strict=True)],
    )
    assert wide <= 1520
