"""Paints from a picture."""

import tensors as tt
from pictures import normalised
from pipeline_base import Pipeline, guided


class PictureToPicture(Pipeline):
    """Follows a prompt, starting from a picture with noise on it."""

    def __init__(self, decoder, encoder, tokenizer, denoiser, scheduler, checker=None):
        super().__init__()
        if checker is None:
            self.log.warning("nothing checks the pictures")
        self.register_modules(
            decoder=decoder, encoder=encoder, tokenizer=tokenizer, denoiser=denoiser, scheduler=scheduler, checker=checker
        )

    def check_inputs(self, prompt, strength):
        if not isinstance(prompt, (str, list)):
            raise ValueError(f"a prompt is a string or a list of them, not {type(prompt)}")
        if strength < 0 or strength > 1:
            raise ValueError(f"strength must lie in [0, 1], not {strength}")

    def timesteps(self, steps, strength):
        start = max(steps - min(int(steps * strength), steps), 0)
        return self.scheduler.timesteps[start:]

    def prepare_latents(self, init_image, step, dtype, device, generator=None):
        init_image = init_image.to(device=device, dtype=dtype)
        latents = 0.18215 * self.decoder.encode(init_image).sample(generator=generator)
        noise = tt.randn(latents.shape, generator=generator, device=device, dtype=dtype)
        return self.scheduler.add_noise(latents, noise, step)

    def __call__(self, prompt, init_image, strength=0.8, steps=50, guidance=7.5, generator=None, callback=None):
        self.check_inputs(prompt, strength)
        embeddings = self.encode_prompt(prompt, guidance > 1.0)
        if not isinstance(init_image, tt.Tensor):
            init_image = normalised(init_image)
        self.scheduler.set_timesteps(steps, device=self.device)
        timesteps = self.timesteps(steps, strength)
        latents = self.prepare_latents(init_image, timesteps[:1], embeddings.dtype, self.device, generator)
        for index, step in enumerate(self.progress(timesteps)):
            noise = guided(self.denoiser, latents, step, embeddings, guidance)
            latents = self.scheduler.step(noise, step, latents).previous
            if callback is not None:
                callback(index, step, latents)
        return self.finish(latents)
