"""A repository of any size that nobody wrote: pairs of twins, and files around them that only fill the tree.

Area `n` has the twins `area_n/client_n.py` and `area_n/async_client_n.py`, of about 500 lines, and three helper modules
of the second. The branch `change-N` has one commit on top of `main` that changes N files, with as many pairs among them
as its name in `Synthetic.changes` says: every second pair stays in step, the others lose one argument on one side.
"""

import random
import subprocess
from collections.abc import Iterator, Sequence
from typing import NamedTuple

METHODS = 34
HELPERS = 3
FILLERS_IN_A_FOLDER = 25
FILLER_TEXTS = 200
"""Different texts of files that only fill the tree: what they say is never read, so they may repeat."""

VERBS = "open close read write send fetch load store merge split lock free".split()
NOUNS = "batch page record stream token cursor segment bucket quota label".split()
BODIES = (
    "{name} = {w}self._call({verb!r}, {noun}, limit=limit, retries={number})\n",
    "if {noun} is None or limit > {number}:\n    raise ValueError({noun}, limit)\n",
    "for item in {noun}:\n    {name}.append({w}self.{verb}_item(item, strict=self.strict))\n    total += item.size\n",
    "try:\n    {w}self.{verb}({noun}, timeout=self.timeout)\nexcept OSError as error:\n    raise Lost({noun}) from error\n",
    "if self.config[{noun!r}][{verb!r}]:\n    {name} = {name}[:limit]\nelse:\n    self.{verb}_later({name}, {number})\n",
    "with self.lock:\n    self.{noun} = {name}\n    self.counts[{verb!r}] += {number}\n",
    "assert limit >= {number}, {noun}\n",
    "total = max(total, len({name}) * {number})\n",
)
EDITS = (("limit=limit, retries=", "limit=limit, patient=True, retries="), ("timeout=self.timeout)", "timeout=limit)"))


class Synthetic(NamedTuple):
    """How large a repository is: files in its tree, pairs of twins, and (files, pairs) of each change."""

    files: int
    pairs: int
    changes: Sequence[tuple[int, int]]


def client(pair: int) -> str:
    """The path of a pair's first side."""
    return f"area_{pair:02}/client_{pair:02}.py"


def async_client(pair: int) -> str:
    """The path of a pair's second side."""
    return f"area_{pair:02}/async_client_{pair:02}.py"


def helpers(pair: int) -> str:
    """The folder of the second side's helper modules."""
    return f"area_{pair:02}/helpers"


def make(folder: str, size: Synthetic) -> None:
    """Make the repository, a bare one, in `folder`; git reads it as one stream, which takes seconds."""
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", folder], check=True)
    with subprocess.Popen(["git", "-C", folder, "fast-import", "--quiet"], stdin=subprocess.PIPE) as importer:
        assert importer.stdin is not None
        for piece in _stream(size):
            importer.stdin.write(piece)
    if importer.returncode:
        raise OSError(f"git fast-import ended with status {importer.returncode}")


def _stream(size: Synthetic) -> Iterator[bytes]:
    texts = dict(_sides(size.pairs))
    fillers = list(_fillers(size.files - len(texts)))
    for number in range(FILLER_TEXTS):
        yield b"blob\nmark :%d\n%s" % (number + 1, _data(_module(number, f"Filler{number}", 2, "", "")))
    yield _commit("main", "")
    for path, number in fillers:
        yield b"M 100644 :%d %s\n" % (number + 1, path.encode())
    yield from _files(texts)
    for files, pairs in size.changes:
        edited = dict(_edited(texts, pairs))
        yield _commit(f"change-{files}", "main")
        yield from _files(edited)
        step = len(fillers) // (files - len(edited))
        for path, number in fillers[::step][: files - len(edited)]:
            yield b"M 100644 :%d %s\n" % ((number + 1) % FILLER_TEXTS + 1, path.encode())
    yield b"done\n"


def _data(text: str) -> bytes:
    return b"data %d\n%s\n" % (len(text), text.encode())


def _commit(branch: str, parent: str) -> bytes:
    after = f"from refs/heads/{parent}\n" if parent else ""
    return f"commit refs/heads/{branch}\ncommitter Ada <ada@example.com> 1735689600 +0000\ndata 0\n{after}".encode()


def _files(texts: dict[str, str]) -> Iterator[bytes]:
    for path, text in texts.items():
        yield b"M 100644 inline %s\n%s" % (path.encode(), _data(text))


def _fillers(count: int) -> Iterator[tuple[str, int]]:
    """(path, number of its text) of the files around the twins, 25 to a folder and 20 folders to a folder."""
    for number in range(count):
        folder = number // FILLERS_IN_A_FOLDER
        yield f"rest_{folder // 20:03}/part_{folder % 20:02}/module_{number}.py", number % FILLER_TEXTS


def _sides(pairs: int) -> Iterator[tuple[str, str]]:
    for pair in range(pairs):
        yield client(pair), _module(pair, f"Client{pair}", METHODS, "", "")
        yield async_client(pair), _module(pair, f"AsyncClient{pair}", METHODS, "async ", "await ")
        for helper in range(HELPERS):
            text = _module(1000 * pair + helper, f"Helper{helper}", METHODS // 4, "async ", "await ")
            yield f"{helpers(pair)}/helper_{helper}.py", text


def _edited(texts: dict[str, str], pairs: int) -> Iterator[tuple[str, str]]:
    for pair in range(pairs):
        for path, edits in ((client(pair), EDITS), (async_client(pair), EDITS[pair % 2 :])):
            text = texts[path]
            for old, new in edits:
                start = text.index(old, len(text) // 3)
                text = text[:start] + text[start:].replace(old, new, 2)
            yield path, text


def _module(seed: int, name: str, methods: int, a: str, w: str) -> str:
    """A class whose methods say the same whatever `a` (async) and `w` (await) are."""
    chance = random.Random(seed)
    out = [f'"""What {name} does."""\n\nimport time\n\n\nclass {name}:\n    strict = True\n']
    for number in range(methods):
        verb, noun = chance.choice(VERBS), chance.choice(NOUNS)
        out.append(f"\n    {a}def {verb}_{noun}_{number}(self, {noun}, limit={number}):\n")
        out.append(f'        """Do {verb} with every {noun}."""\n        found, total = [], 0\n')
        for body in chance.sample(BODIES, 5):
            words = {"name": "found", "verb": chance.choice(VERBS), "noun": noun, "number": chance.randint(1, 99)}
            lines = body.format(**words, w=w).splitlines()
            out.extend(f"        {line}\n" for line in lines)
        out.append("        return found, total\n")
    return "".join(out)
