import { sayReady, sendToParent } from '../../base/worker-side.ts';
import { renderFace, renderGroup } from './picture.ts';
import type { RenderAnswer, RenderRequest } from './render-pool.ts';
import { renderMotion, renderTransition } from './video.ts';

/** Renders one request at a time: the pool sends the next when this one is answered. */
process.on('message', async ({ id, ...request }: RenderRequest & { id: number }) => {
  const answered: RenderAnswer = await render(request).then(
    (bytes) => ({ id, bytes }),
    (error: unknown) => ({ id, refused: error instanceof Error ? error.message : 'unknown' }),
  );
  sendToParent(answered);
});
await sayReady();

async function render({ task, hasMark, inputs, faces, cutOuts = [] }: RenderRequest): Promise<Uint8Array> {
  switch (task.kind) {
    case 'face':
      return renderFace(task, inputs, faces);
    case 'group':
      return renderGroup(task, inputs, faces);
    case 'motion':
      return renderMotion(task, inputs, faces, hasMark);
    case 'transition':
      return renderTransition(task, inputs, faces, cutOuts, hasMark);
  }
}
