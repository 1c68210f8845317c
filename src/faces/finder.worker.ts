/** The child process that finds faces: it holds no secrets and can be killed. One request at a time. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { answer, sayReady } from '../base/worker-side.ts';
import { decodeOnlyPhotos } from '../picture/only-photos.ts';
import { PictureRefused } from '../picture/structure.ts';
import { cutOutPeople } from './cut-out.ts';
import { findFaces } from './find.ts';
import type { FindAnswer, FindTask } from './finder.ts';
import { loadModels, type Model } from './models.ts';
import { type Photo, readPhoto } from './photo.ts';

// LiteRT reports what it does, and that there is no graphics card.
console.warn = () => undefined;
console.error = () => undefined;

decodeOnlyPhotos();
const models = await loadModels();

class Stopped extends Error {}

/** The request that nobody waits for any more. */
let stopped: number | undefined;

const stoppable = (id: number, { side, run }: Model): Model => ({
  side,
  async run(pixels) {
    // That it is to stop is received between two turns of the event loop.
    await nextTurn();
    if (stopped === id) throw new Stopped();
    return run(pixels);
  },
});

async function handle({ id, kind, photo: bytes, most }: FindTask & { id: number }): Promise<FindAnswer> {
  let photo: Photo;
  try {
    photo = await readPhoto(bytes);
  } catch (error) {
    return { id, refused: error instanceof PictureRefused ? error.reason : 'broken' };
  }
  if (kind === 'cut-out') return { id, cutOut: await cutOutPeople(models.person, photo) };
  try {
    const [detector, landmarks] = [stoppable(id, models.detector), stoppable(id, models.landmarks)];
    return { id, faces: await findFaces({ ...models, detector, landmarks }, photo, most) };
  } catch (error) {
    if (error instanceof Stopped) return { id, isStopped: true };
    throw error;
  }
}

process.on('message', async (request: (FindTask & { id: number }) | { stop: number }) => {
  if ('stop' in request) stopped = request.stop;
  else answer(await handle(request));
});
// People wait for what it finds, and it is busy for a moment only: beside other work at a lower priority they would wait for long.
await sayReady({ yields: false });
