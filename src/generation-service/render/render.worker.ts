import { parentPort } from 'node:worker_threads';
import type { RenderRequest } from '../render-pool.ts';
import { renderFace, renderGroup, renderPreview } from './picture.ts';
import { renderMotion, renderTransition } from './video.ts';

/** One request at a time: the pool sends the next when this one is answered. */
parentPort?.on('message', async (request: RenderRequest) => {
  try {
    const made = await render(request);
    // A buffer of our own can be handed over instead of copied.
    const bytes = new Uint8Array(made);
    parentPort?.postMessage({ ok: true, bytes }, [bytes.buffer]);
  } catch (error) {
    parentPort?.postMessage({ ok: false, reason: error instanceof Error ? error.message : 'unknown' });
  }
});

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
