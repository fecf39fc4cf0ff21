def run_epoch(loader, model, optimizer, clip=1.0):
    total = 0.0
    for batch in loader:
        optimizer.zero_grad()
        loss = model.loss(batch)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)
