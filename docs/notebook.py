"""Shows Hopscope scenarios in notebooks: see embedding.md.

    torus = {"hopscope": 1, "network": {"generate": {"kind": "torus"}}}
    show(torus, "https://example.org/hopscope/")
"""

import base64
import html
import json
import urllib.parse
import zlib


def link(scenario, base_url, name=None):
    """The address at which Hopscope, served at `base_url`, opens a scenario.

    `scenario` is a scenario as a dictionary, or the text of a file in any format that Hopscope
    opens. `name` is the name of that file, for formats that the text does not tell.
    """
    base_url = base_url.split("#")[0]
    if not isinstance(scenario, str):
        packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)  # deflate without a header
        packed = packer.compress(json.dumps(scenario).encode()) + packer.flush()
        word = base64.urlsafe_b64encode(packed).rstrip(b"=").decode()
        return f"{base_url}#s=1{word}"
    named = f"&name={urllib.parse.quote(name, safe='')}" if name else ""
    return f"{base_url}#open={urllib.parse.quote(scenario, safe='')}{named}"


class Frame:
    """A frame with Hopscope; notebooks show it."""

    def __init__(self, address, height):
        self.address = address
        self.height = int(height)

    def _repr_html_(self):
        return (
            f'<iframe src="{html.escape(self.address)}" title="Hopscope" width="100%" '
            f'height="{self.height}" allow="clipboard-write"></iframe>'
        )


def show(scenario, base_url, height=640, name=None):
    """Shows a scenario in a frame of this height, in pixels. See `link` for the rest."""
    return Frame(link(scenario, base_url, name), height)
