import type { GenerateRequest } from '../../command/kinds.ts';
import type { PhotoRef } from '../../command/photo.ts';
import type { FilterChoice } from '../../command/request.ts';
import type { GenerationRequest } from '../../generation-client/endpoints.ts';
import { ruleError } from '../../generation-client/wire/errors.ts';

export interface Sources<Photo> {
  /** What a filter choice stands for at this moment. */
  resolve(choice: FilterChoice): Promise<number | string>;
  photo(ref: PhotoRef): Promise<Photo>;
}

/** What was asked for, in the words of the service's client. Fetches what is needed; spends nothing. */
export async function toServiceRequest<Photo>(
  request: GenerateRequest,
  from: Sources<Photo>,
): Promise<GenerationRequest<Photo>> {
  switch (request.kind) {
    case 'face-swap-v6': {
      const { kind, gender, ratio } = request;
      // A UUID filter has its own workflow: the service takes a quality for catalog numbers alone.
      const filter = await from.resolve(request.filter);
      const quality = typeof filter === 'number' ? request.quality : undefined;
      const image = await from.photo(request.photo);
      return { endpoint: kind, input: { image, gender, filter, ratio, quality } };
    }
    case 'face-swap-v5':
    case 'face-swap-v1': {
      const { kind, gender, ratio } = request;
      const filter = await from.resolve(request.filter);
      return { endpoint: kind, input: { image: await from.photo(request.photo), gender, filter, ratio } };
    }
    case 'self-prompt': {
      const { kind, prompt, gender, ratio } = request;
      return { endpoint: kind, input: { image: await from.photo(request.photo), prompt, gender, ratio } };
    }
    case 'multi-swap-realistic':
    case 'multi-swap-stylized': {
      const { kind, outpaint } = request;
      const style = await from.resolve(request.style);
      return { endpoint: kind, input: { image: await from.photo(request.photo), style, outpaint } };
    }
    case 'multi-swap-realistic-prompt':
    case 'multi-swap-stylized-prompt':
      return {
        endpoint: request.kind,
        input: { images: await allOf(request.photos, from), prompt: request.prompt },
      };
    case 'multi-swap-classic': {
      const style = await from.resolve(request.style);
      if (typeof style !== 'number') {
        throw ruleError(request.kind, 'The classic look takes a style number from its catalog, not a UUID.');
      }
      return { endpoint: request.kind, input: { images: await allOf(request.photos, from), style } };
    }
    case 'single-frame-video': {
      const { kind, prompt, model, duration, aspect } = request;
      return {
        endpoint: kind,
        input: { image: await from.photo(request.photo), prompt, model, duration, aspect },
      };
    }
    case 'first-last-frame-video': {
      const { kind, prompt, duration } = request;
      const first = await from.photo(request.first);
      const last = await from.photo(request.last);
      return { endpoint: kind, input: { first, last, prompt, model: 'advanced', duration } };
    }
  }
}

/** One after the other: photos are large, and only a few are ever needed. */
async function allOf<Photo>(refs: readonly PhotoRef[], from: Sources<Photo>): Promise<Photo[]> {
  const images: Photo[] = [];
  for (const ref of refs) images.push(await from.photo(ref));
  return images;
}
