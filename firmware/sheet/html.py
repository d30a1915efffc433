"""A sheet as one HTML file: style and picture in it, no script, nothing from elsewhere; it prints on A4."""

from html import escape
from typing import Final

from firmware.sheet.page import Block, Column, Drawing, Page, Signatures, Table
from firmware.sheet.svg import svg

_STYLE: Final = """
body { font: 13px/1.4 sans-serif; color: #222; max-width: 190mm; margin: 8mm auto; padding: 0 4mm; }
h1 { font-size: 15px; font-weight: normal; margin: 0 0 6mm; }
h2 { font-size: 14px; margin: 6mm 0 1.5mm; }
.result { display: grid; grid-template-columns: 1fr auto 1fr; gap: 6mm; align-items: baseline; font-size: 22px; }
.result b { font-size: 30px; white-space: nowrap; }
.result :first-child { text-align: right; }
.outcome { text-align: center; margin: 1mm 0 4mm; }
dl { display: grid; grid-template-columns: repeat(5, auto); gap: 0 6mm; margin: 0; }
dt { grid-row: 1; color: #666; font-size: 11px; }
dd { grid-row: 2; margin: 0; }
.note { margin: 3mm 0 0; padding-left: 3mm; border-left: 2px solid #b3261e; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th { text-align: left; font-size: 11px; font-weight: normal; color: #666; border-bottom: 1px solid #222; }
th, td { padding: 1px 1.5mm; vertical-align: top; }
tr + tr td { border-top: 1px solid #ddd; }
.right { text-align: right; }
.sign { display: grid; grid-auto-flow: column; grid-auto-columns: 1fr; gap: 10mm; margin-top: 18mm; }
.sign div { border-top: 1px solid #222; }
.key, footer { color: #666; font-size: 11px; }
footer { margin-top: 6mm; }
h2, tr, svg, .sign { break-inside: avoid; }
h2 { break-after: avoid; }
@page { size: A4; margin: 14mm; }
@media print { body { margin: 0; padding: 0; max-width: none; } }
"""


def html(page: Page) -> str:
    """Return the page as a document."""
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in page.facts)
    notes = "".join(f'<p class="note">{escape(note)}</p>' for note in page.notes)
    blocks = "\n".join(filter(None, map(_block, page.blocks)))
    return f"""<!doctype html>
<html lang="{page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(f"{page.title}: {page.home} - {page.away}")}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{escape(page.title)}</h1>
<div class="result"><span>{escape(page.home)}</span><b>{escape(page.score)}</b><span>{escape(page.away)}</span></div>
<p class="outcome">{escape(page.outcome)}</p>
<dl>{facts}</dl>
{notes}
{blocks}
<footer>{escape(page.foot)}</footer>
</body>
</html>
"""


def _block(block: Block) -> str:
    match block:
        case Table():
            return _table(block) if block.rows else ""
        case Drawing():
            if not block.picture.shapes:
                return ""
            drawn = svg(block.picture, block.title)
            return f'<h2>{escape(block.title)}</h2>\n{drawn}\n<p class="key">{escape(block.key)}</p>'
        case Signatures():
            return (
                '<div class="sign">'
                + "".join(f"<div>{escape(name)}</div>" for name in block.names)
                + "</div>"
            )


def _table(table: Table) -> str:
    heads = "".join(f"<th{_class(column)}>{escape(column.head)}</th>" for column in table.columns)
    rows = "\n".join(
        "<tr>"
        + "".join(
            f"<td{_class(column)}>{escape(cell)}</td>"
            for column, cell in zip(table.columns, row, strict=True)
        )
        + "</tr>"
        for row in table.rows
    )
    return f"<h2>{escape(table.title)}</h2>\n<table><thead><tr>{heads}</tr></thead><tbody>\n{rows}\n</tbody></table>"


def _class(column: Column) -> str:
    return ' class="right"' if column.align == "right" else ""
