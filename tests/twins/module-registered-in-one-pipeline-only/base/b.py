"""Pictures from a picture and a prompt."""

import numpy as np
import tensors as tt
from pictures import PictureProcessor
from pipeline_base import Pipeline, noise_like


class ImageToImage(Pipeline):
    """Adds noise to a picture and follows the prompt from there."""

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

    def timesteps(self, steps, strength):
        kept = min(steps * strength, steps)
        start = int(max(steps - kept, 0))
        return self.scheduler.timesteps[start:]

    def prepare_latents(self, picture, step, count, dtype, device, generator):
        picture = picture.to(device=device, dtype=dtype)
        encoded = self.decoder.encode(picture).sample(generator)
        encoded = tt.concat([encoded] * count, dim=0)
        noise = noise_like(encoded.shape, generator=generator, dtype=dtype, device=device)
        return self.scheduler.add_noise(encoded, noise, step)

    def __call__(self, prompt, picture, strength=0.6, steps=28, guidance=7.0, generator=None, callback=None):
        if not 0 <= strength <= 1:
            raise ValueError(f"strength must lie in [0, 1], not {strength}")
        device = self.execution_device
        picture = self.processor.begin(picture)
        embeds = self.encode_prompt(prompt, device)
        sigmas = np.linspace(1.0, 1 / steps, steps)
        self.scheduler.set_timesteps(sigmas=sigmas, device=device)
        timesteps = self.timesteps(steps, strength)
        latents = self.prepare_latents(picture, timesteps[:1], len(embeds), embeds.dtype, device, generator)
        for index, step in enumerate(timesteps):
            if self.interrupted:
                continue
            noise = self.denoiser(latents, step / 1000, embeds, guidance=guidance)
            latents = self.scheduler.step(noise, step, latents)
            if callback is not None:
                latents = callback(self, index, step, {"latents": latents}).pop("latents", latents)
        picture = self.decoder.decode(latents / self.decoder.config.scaling)
        self.release_hooks()
        return self.processor.finish(picture)
