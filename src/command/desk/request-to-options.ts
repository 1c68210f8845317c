import { defined } from '../../base/defined.ts';
import type { Given } from '../option.ts';
import type { PhotoRef } from '../photo.ts';
import type { FilterChoice, GenerateRequest } from '../request.ts';

/** What a user would type to choose this filter. */
function typed(filter: FilterChoice): string {
  return filter.by === 'alias' ? filter.name : String(filter.id);
}

function photosOf(photos: readonly PhotoRef[]): Given {
  return Object.fromEntries(
    photos.map((photo, index) => [index === 0 ? 'photo' : `photo${index + 1}`, photo]),
  );
}

/** Turns a request back into its command and options, so that repeating it passes every check. */
export function givenFrom(request: GenerateRequest): { readonly command: string; readonly given: Given } {
  switch (request.kind) {
    case 'face-swap-v6':
    case 'face-swap-v5':
    case 'face-swap-v1': {
      const { photo, filter, gender, ratio, kind } = request;
      const quality = kind === 'face-swap-v6' ? request.quality : undefined;
      const engine = kind.replace('face-swap-', '');
      return {
        command: 'faceswap',
        given: defined({ photo, filter: typed(filter), gender, ratio, quality, engine }),
      };
    }
    case 'self-prompt': {
      const { photo, prompt, gender, ratio } = request;
      return { command: 'faceswap', given: defined({ photo, prompt, gender, ratio }) };
    }
    case 'multi-swap-realistic':
    case 'multi-swap-stylized': {
      const { photo, style, outpaint, kind } = request;
      const look = kind.replace('multi-swap-', '');
      return { command: 'groupswap', given: { photo, style: typed(style), outpaint, look } };
    }
    case 'multi-swap-realistic-prompt':
    case 'multi-swap-stylized-prompt': {
      const { photos, prompt, kind } = request;
      const look = kind === 'multi-swap-realistic-prompt' ? 'realistic' : 'stylized';
      return { command: 'groupswap', given: { ...photosOf(photos), prompt, look } };
    }
    case 'multi-swap-classic':
      return {
        command: 'groupswap',
        given: { ...photosOf(request.photos), style: typed(request.style), look: 'classic' },
      };
    case 'single-frame-video': {
      const { photo, prompt, model, duration, aspect } = request;
      return { command: 'animate', given: { photo, prompt, model, duration, aspect } };
    }
    case 'first-last-frame-video': {
      const { first, last, prompt, duration } = request;
      return { command: 'transition', given: { first, last, prompt, duration } };
    }
  }
}
