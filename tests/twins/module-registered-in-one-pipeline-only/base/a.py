"""Pictures from a prompt."""

import numpy as np
import tensors as tt
from pictures import PictureProcessor
from pipeline_base import Pipeline, batches, noise_like


class TextToImage(Pipeline):
    """Starts from noise and follows the prompt."""

    offload_order = "text_encoder->denoiser->decoder"
    inputs_of_callback = ("latents", "prompt_embeds")

    def __init__(self, scheduler, decoder, text_encoder, tokenizer, denoiser):
        super().__init__()
        self.register_modules(
            scheduler=scheduler,
            decoder=decoder,
            text_encoder=text_encoder,
            tokenizer=tokenizer,
            denoiser=denoiser,
        )
        self.scale_factor = 2 ** (len(decoder.config.blocks) - 1)
        self.processor = PictureProcessor(scale=self.scale_factor * 2)
        self.longest_prompt = tokenizer.model_max_length
        self.default_size = 128

    def encode_prompt(self, prompt, device):
        ids = self.tokenizer(prompt, padding="max_length", max_length=self.longest_prompt).input_ids
        embeds = self.text_encoder(ids.to(device), output_hidden_states=False)[0]
        return embeds.to(dtype=self.text_encoder.dtype, device=device)

    def prepare_latents(self, count, height, width, dtype, device, generator):
        height = 2 * (height // (self.scale_factor * 2))
        width = 2 * (width // (self.scale_factor * 2))
        return noise_like((count, 16, height, width), generator=generator, dtype=dtype, device=device)

    def __call__(self, prompt, height=None, width=None, steps=28, guidance=3.5, generator=None, callback=None):
        height = height or self.default_size * self.scale_factor
        width = width or self.default_size * self.scale_factor
        self.check_inputs(prompt, height, width)
        device = self.execution_device
        embeds = self.encode_prompt(prompt, device)
        latents = self.prepare_latents(len(embeds), height, width, embeds.dtype, device, generator)
        sigmas = np.linspace(1.0, 1 / steps, steps)
        self.scheduler.set_timesteps(sigmas=sigmas, device=device)
        for index, step in enumerate(self.scheduler.timesteps):
            if self.interrupted:
                continue
            noise = self.denoiser(latents, step / 1000, embeds, guidance=guidance)
            latents = self.scheduler.step(noise, step, latents)
            if callback is not None:
                latents = callback(self, index, step, {"latents": latents}).pop("latents", latents)
        picture = self.decoder.decode(latents / self.decoder.config.scaling)
        self.release_hooks()
        return self.processor.finish(picture)
