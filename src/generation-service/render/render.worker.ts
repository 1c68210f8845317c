import type { RenderRequest } from '../render-pool.ts';
import { renderFace, renderGroup, renderPreview } from './picture.ts';
import { renderMotion, renderTransition } from './video.ts';

/** One request at a time: the pool sends the next when this one is answered. */
process.on('message', async (request: RenderRequest) => {
  try {
    process.send?.({ ok: true, bytes: await render(request) });
  } catch (error) {
    process.send?.({ ok: false, reason: error instanceof Error ? error.message : 'unknown' });
  }
});

// The host has gone, however it went: nobody is left to draw for.
process.on('disconnect', () => process.exit());

function render({ task, inputs }: RenderRequest): Promise<Uint8Array> {
  switch (task.kind) {
    case 'face':
      return renderFace(task, inputs);
    case 'group':
      return renderGroup(task, inputs);
    case 'motion':
      return renderMotion(task, inputs);
    case 'transition':
      return renderTransition(task, inputs);
    case 'preview':
      return renderPreview(task);
  }
}
