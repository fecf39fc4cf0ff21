def read_options(parser):
    parser.add("--task", type=str, default="walk")
    parser.add("--rate", type=float, default=0.5)
    return parser.parse()
