from pathlib import Path


def apply_alias_patch():
    """Mend the installed kernels, which call a plain function while they are compiled."""
    file = Path("kernels.py")
    text = file.read_text()
    file.write_text(text.replace("old(", "new("))
    print("Successfully patched the kernels.")
