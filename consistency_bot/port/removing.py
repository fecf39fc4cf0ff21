"""Imports that this side dropped and that nothing on the other side uses any more."""

from collections.abc import Collection

from consistency_bot.port.decisions import Edit
from consistency_bot.port.imports import brought_by, is_import, module_of
from consistency_bot.syntax.source_rows import Row, rows_of


def unused_imports(text: str, dropped: Collection[str]) -> list[Edit]:
    """The edits that take the dropped names out of the imports of a file where they stand unused."""
    rows = rows_of(text)
    used = {piece.text for row in rows if row.kind == "code" and not is_import(row) for piece in row.pieces}
    in_text = " ".join(piece.text for row in rows if not is_import(row) for piece in row.pieces if not piece.is_name)
    gone = {name for name in dropped if name not in used and name not in in_text}
    out: list[Edit] = []
    for row in rows if gone else ():
        names = [each.name for each in brought_by(row)] if is_import(row) and not row.indent else []
        if names and gone.issuperset(names):
            out.append(Edit(row.start, row.end, ""))
        elif module_of(row) and gone.intersection(names) and " as " not in text[row.start : row.end]:
            out.extend(without(row, gone))
    return out


def without(row: Row, gone: Collection[str]) -> list[Edit]:
    """The edits that take names out of a `from … import`, which goes if they are all; none where it has comments."""
    start = row.words.index("import") + 1
    pieces = [piece for piece in row.pieces[start:] if piece.text not in "()"]
    if any(piece.is_comment for piece in pieces):
        return []
    items = [piece for piece in pieces if piece.text != ","]
    kept = [piece for piece in items if piece.text not in gone]
    if not kept:
        return [Edit(row.start, row.end, "")]
    out: list[Edit] = []
    for index, piece in enumerate(items):
        if piece.text not in gone:
            continue
        if any(each in kept for each in items[index + 1 :]):
            out.append(Edit(piece.start, items[index + 1].start, ""))
        else:
            out.append(Edit(items[index - 1].end, piece.end, ""))
    return out
