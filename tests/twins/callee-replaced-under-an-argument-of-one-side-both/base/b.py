def build_second(args):
    net = Net(
        shape=args.shape,
        hidden=args.hidden,
    )
    return net.to(args.device)
