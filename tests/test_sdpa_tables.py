"""Tables of attention backends of one side: what is read from each way of choosing."""

from textwrap import dedent, indent

import pytest

from consistency_bot.facts.sdpa.side import read_side
from consistency_bot.facts.sdpa_backends import told
from consistency_bot.syntax import Readings, Source

FLASH = "[SDPBackend.FLASH_ATTENTION]"


def table(code: str, *more: str, arguments: tuple[str, ...] = ()) -> list[str]:
    """The rows of a side's table."""
    definitions = [
        each
        for at, text in enumerate((code, *more))
        for each in Source(f"file_{at}.py", dedent(text).encode(), Readings(), at == 0).definitions
    ]
    return [line for line in told(read_side(definitions, arguments)) if not line.startswith("decided at")]


def trained(body: str, before: str = "", after: str = "") -> str:
    """A worker with a training step."""
    return f"""{dedent(before)}
class Worker:
    def train(self, batch, cfg):
{indent(dedent(body).strip(), "        ")}
{indent(dedent(after), "    ")}
"""


STEP = "    loss = self.model(batch)\n    loss.backward()\n"


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("", []),
        (trained(f"with sdpa_kernel({FLASH}):\n{STEP}"), ["always: FLASH"]),
        (trained(f"with sdpa_kernel(SDPBackend.MATH):\n{STEP}"), ["always: MATH"]),
        (trained(f"with sdpa_kernel(backends=[torch.nn.attention.SDPBackend.MATH]):\n{STEP}"), ["always: MATH"]),
        (trained(f"with sdpa_kernel(getattr(SDPBackend, 'MATH')), autocast():\n{STEP}"), ["always: MATH"]),
        (trained(f"with sdpa_kernel(SDPBackend['MATH']):\n{STEP}"), ["always: MATH"]),
        (trained(f"with sdpa_kernel():\n{STEP}"), ["always: others that cannot be told"]),
        (
            trained(f"with sdpa_kernel({FLASH}) if cfg['fast'] else nullcontext():\n{STEP}"),
            ["fast=no: default", "fast=yes: FLASH"],
        ),
        (
            trained(
                f"with sdpa_kernel([SDPBackend.MATH]):\n    if cfg['fast']:\n        with sdpa_kernel({FLASH}):\n"
                f"            self.model(batch).backward()\n"
            ),
            ["always: FLASH"],
        ),
        (
            trained(
                f"contexts = [autocast()]\nif cfg['fast']:\n    contexts.append(sdpa_kernel({FLASH}))\n"
                f"with ExitStack() as stack:\n    for each in contexts:\n        stack.enter_context(each)\n{STEP}"
            ),
            ["fast=no: default", "fast=yes: FLASH"],
        ),
        (
            trained(f"def step():\n    with sdpa_kernel({FLASH}):\n        self.model(batch).backward()\nstep()"),
            ["always: FLASH"],
        ),
        (
            trained(
                STEP.replace("    ", ""),
                after=f"def score(self, batch):\n    with sdpa_kernel({FLASH}):\n        self.model(batch)\n",
            ),
            ["always: default"],
        ),
        (
            (
                f"class Attention:\n    def forward(self, q):\n        with sdpa_kernel({FLASH}):\n            return attend(q)\n\n\n"
                "def train(model, batch, cfg):\n    wrap(model, activation_checkpointing=cfg['again'])\n    model(batch).backward()\n"
            ),
            ["always: FLASH"],
        ),
        (f"def score(batch):\n    with sdpa_kernel({FLASH}):\n        model(batch)\n", ["always: FLASH"]),
        (f"@sdpa_kernel({FLASH})\ndef train(batch):\n    model(batch).backward()\n", ["always: FLASH"]),
        (f"@contextmanager\ndef kernels():\n    with sdpa_kernel({FLASH}):\n        yield\n", ["always: FLASH"]),
        (
            (
                f"def kernels(fast):\n    return sdpa_kernel({FLASH}) if fast else nullcontext()\n\n\n"
                "def train(batch, cfg):\n    with kernels(cfg['fast']):\n        model(batch).backward()\n"
            ),
            ["fast=no: default", "fast=yes: FLASH"],
        ),
        (
            (
                f"def make(backends):\n    @contextmanager\n    def context():\n        with sdpa_kernel(backends):\n            yield\n"
                f"    return context\n\n\ndef train(batch):\n    with make({FLASH})():\n        model(batch).backward()\n"
            ),
            ["always: FLASH"],
        ),
        (
            (
                f"class Worker:\n    def __init__(self):\n        self.context = sdpa_kernel({FLASH})\n\n    def train(self, batch):\n"
                "        with self.context:\n            self.model(batch).backward()\n"
            ),
            ["always: FLASH"],
        ),
        (
            (
                f"KERNELS = {FLASH}\n\n\nclass Worker:\n    backends = KERNELS\n\n    def train(self, batch):\n"
                "        with sdpa_kernel(self.backends):\n            self.model(batch).backward()\n"
            ),
            ["always: FLASH"],
        ),
    ],
)
def test_a_context_is_followed_to_what_it_runs_around(code: str, rows: list[str]) -> None:
    assert table(code) == rows


@pytest.mark.parametrize(
    ("code", "rows"),
    [
        ("torch.backends.cuda.enable_cudnn_sdp(False)", ["always: FLASH, EFFICIENT, MATH"]),
        ("enable_cudnn_sdp()", ["always: FLASH, EFFICIENT, MATH"]),
        ("from torch.backends.cuda import enable_math_sdp as math\nmath(False)", ["always: FLASH, EFFICIENT, CUDNN"]),
        ("enable_math_sdp(False)\nenable_math_sdp(True)", ["always: default"]),
        ("cfg['quiet'] and enable_flash_sdp(False)", ["quiet=no: default", "quiet=yes: EFFICIENT, MATH, CUDNN"]),
        (
            "enable_flash_sdp(False); enable_mem_efficient_sdp(False); enable_math_sdp(False); enable_cudnn_sdp(False)",
            ["always: none"],
        ),
        (f"Model(sdpa_method={FLASH})", ["always: FLASH"]),
        (f"Model(kernels={FLASH})", ["always: FLASH"]),
        (f"options = {{'kernels': {FLASH}}}", ["always: FLASH"]),
        (f"options['sdpa_method'] = {FLASH}", ["always: FLASH"]),
        (f"model.config.kernels = {FLASH}", ["always: FLASH"]),
        ("Model(kernels=None)", ["always: default"]),
        ("Model(kernels=cfg['kernels'])", ["always: others that cannot be told"]),
        (
            f"Model(kernels={FLASH})\nmodel.gradient_checkpointing_enable()",
            ["always: FLASH; run again: default"],
        ),
        (
            f"Model(kernels={FLASH}, use_checkpointing=cfg['again'])",
            ["again=no: FLASH", "again=yes: FLASH; run again: default"],
        ),
        ("Model(attn_implementation='eager')", ["always: eager"]),
        ("Model(attn_implementation='sdpa')", ["always: default"]),
        ("Model(attn_implementation=cfg['attention'])", ["always: default"]),
        ("config._attn_implementation = 'eager' if cfg['slow'] else None", ["slow=no: default", "slow=yes: eager"]),
        ("assert not cfg['slow']\nModel(attn_implementation='eager' if cfg['slow'] else None)", ["always: default"]),
    ],
)
def test_what_is_asked_for_by_calls_is_read(code: str, rows: list[str]) -> None:
    assert table(f"def start(cfg, model, options):\n{indent(code, '    ')}\n", arguments=("kernels",)) == rows


def test_what_is_handed_to_a_function_of_the_side_counts_where_that_hands_it_on() -> None:
    code = f"""
    def start(cfg):
        build(kernels={FLASH} if cfg["fast"] else None)


    def build(kernels):
        return Model(kernels=kernels)
    """
    assert table(code, arguments=("kernels",)) == ["fast=no: default", "fast=yes: FLASH"]


def test_a_switch_counts_where_its_function_is_called() -> None:
    helper = "def off():\n    torch.backends.cuda.enable_cudnn_sdp(False)\n"
    assert table("def start(cfg):\n    if cfg['quiet']:\n        off()\n", helper) == [
        "quiet=no: default",
        "quiet=yes: FLASH, EFFICIENT, MATH",
    ]
    assert table('def start(cfg):\n    """Does not call off() any more."""\n', helper) == []
    assert table("def start(cfg):\n    hooks.append(off)\n", helper) == ["always: FLASH, EFFICIENT, MATH"]


def test_a_side_with_too_many_conditions_says_so() -> None:
    flags = " and ".join(f"cfg['flag_{number}']" for number in range(13))
    assert table(f"def start(cfg):\n    if {flags}:\n        enable_math_sdp(False)\n") == [
        "no table: it depends on 13 conditions, more than 12"
    ]


def test_conditions_of_one_name_are_told_by_all_of_their_path() -> None:
    code = "def start(cfg):\n    enable_flash_sdp(not cfg['a']['fp8_recipe'])\n    enable_math_sdp(not cfg['b']['fp8_recipe'])\n"
    assert table(code)[0] == "config.a.fp8_recipe=no, config.b.fp8_recipe=no: default"


@pytest.mark.parametrize(
    "code",
    [
        "if a == 0:\n    x = []\n" + "".join(f"elif a == {number}:\n    x = {FLASH}\n" for number in range(1, 3000)),
        "x = []\n" + "x.append(SDPBackend.MATH)\n" * 2000,
        "x = []\n" + "".join(f"if cfg['a{number}']:\n    x.append(SDPBackend.MATH)\n" for number in range(200)),
        "".join(f"if cfg['a{number}']:\n    return\n" for number in range(1000)) + f"x = {FLASH}\n",
        f"x = {FLASH} if " + " and ".join(f"a{number}" for number in range(3000)) + " else None\n",
        "x = " + "(" * 3000 + "a" + ")" * 3000 + "\n",
        "x = a" + ".b" * 3000 + "\n",
        "x = a\n" + "x = x or cfg\n" * 1000,
        "x = " + "+".join(["[SDPBackend.MATH]"] * 2000) + "\n",
        "x = [SDPBackend.\n",
    ],
    ids=lambda code: code[:20],
)
def test_code_that_nobody_writes_is_read_to_its_end(code: str) -> None:
    body = indent(code + "with sdpa_kernel(x):\n    model(batch).backward()\n", "    ")
    assert len(table(f"def train(a, cfg, batch):\n{body}")) < 200
