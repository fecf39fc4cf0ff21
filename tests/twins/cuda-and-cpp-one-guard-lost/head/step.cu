// One step of the optimizer, on a whole block.
__global__ void step(float* weights, const float* gradients, int size, float rate) {
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index >= size) {
        return;
    }
    float gradient = gradients[index];
    if (isnan(gradient)) {
        atomicAdd(&skipped, 1);  // told at the end
        return;
    }
    weights[index] -= rate * gradient;
}
