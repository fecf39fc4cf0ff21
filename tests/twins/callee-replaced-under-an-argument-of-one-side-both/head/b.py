def build_second(args):
    net = Actor(
        shape=args.shape,
        hidden=args.hidden,
    )
    return net.to(args.device)
