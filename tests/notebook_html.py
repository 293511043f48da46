"""What HTML for notebooks must be: whole, without scripts, and nothing from elsewhere."""

from xml.etree import ElementTree


def parsed(html):
    """Return HTML as a tree; it must be well-formed, and neither run anything nor fetch anything."""
    tree = ElementTree.fromstring(html)
    for element in tree.iter():
        assert element.tag not in ("script", "iframe", "object", "embed", "link", "style", "a", "image", "use")
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in ("href", "src") or value.startswith("data:")
            assert "url(" not in value
    return tree


def text_of(html):
    """Return all words of HTML, as a reader sees them."""
    return " ".join(" ".join(parsed(html).itertext()).split())


def table_of(html):
    """Return the names and values of a card."""
    rows = (row for row in parsed(html).iter("tr"))
    return {"".join(row[0].itertext()): "".join(row[1].itertext()) for row in rows}
