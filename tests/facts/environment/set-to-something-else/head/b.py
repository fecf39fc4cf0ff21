import os


def start():
    os.environ["NCCL_CUMEM_ENABLE"] = "0"
    return 1
