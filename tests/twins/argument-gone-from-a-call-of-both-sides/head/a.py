def read_options(parser):
    parser.add("--task", type=str, default="walk")
    parser.add("--noise", type=float, default=0.1)
    parser.add("--rate", default=0.5)
    return parser.parse()
