def build_first(args):
    net = Actor(
        shape=args.shape,
        hidden=args.hidden,
        softmax=True,
    )
    return net.to(args.device)
