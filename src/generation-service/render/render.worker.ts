import { renderFace, renderGroup } from './picture.ts';
import type { RenderRequest } from './render-pool.ts';
import { renderMotion, renderTransition } from './video.ts';

/** One request at a time: the pool sends the next when this one is answered. */
process.on('message', async (request: RenderRequest) => {
  try {
    answer({ ok: true, bytes: await render(request) });
  } catch (error) {
    answer({ ok: false, reason: error instanceof Error ? error.message : 'unknown' });
  }
});

// The host has ended: nobody waits for the result.
process.on('disconnect', () => process.exit());

/** The host may end meanwhile: an uncaught error would print the source of the encoder, one very long line. */
function answer(message: object): void {
  process.send?.(message, undefined, undefined, (error) => error && process.exit());
}

function render({ task, inputs, faces, cutOuts = [] }: RenderRequest): Promise<Uint8Array> {
  switch (task.kind) {
    case 'face':
      return renderFace(task, inputs, faces);
    case 'group':
      return renderGroup(task, inputs, faces);
    case 'motion':
      return renderMotion(task, inputs, faces);
    case 'transition':
      return renderTransition(task, inputs, faces, cutOuts);
  }
}
