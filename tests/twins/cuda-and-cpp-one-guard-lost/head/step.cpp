/* One step of the optimizer,
   one weight after the other. */
void step(float* weights, const float* gradients, int size, float rate) {
    for (int index = 0; index < size; ++index) {
        float gradient = gradients[index];
        weights[index] -= rate * gradient;
    }
}
