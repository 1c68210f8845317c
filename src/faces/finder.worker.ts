/** The child process that finds faces: it holds no secrets and can be killed. One request at a time. */
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

class TooLate extends Error {}

/** The model, until a time of `performance.now`. */
const runUntil = (end: number, { side, run }: Model): Model => ({
  side,
  async run(pixels) {
    if (performance.now() > end) throw new TooLate();
    return run(pixels);
  },
});

async function handle(task: FindTask & { id: number }): Promise<FindAnswer> {
  const { id, kind, photo: bytes } = task;
  const end = performance.now() + task.withinMs;
  let photo: Photo;
  try {
    photo = await readPhoto(bytes);
  } catch (error) {
    return { id, refused: error instanceof PictureRefused ? error.reason : 'broken' };
  }
  if (kind === 'cut-out') return { id, cutOut: await cutOutPeople(models.person, photo) };
  try {
    const [detector, landmarks] = [runUntil(end, models.detector), runUntil(end, models.landmarks)];
    return { id, faces: await findFaces({ ...models, detector, landmarks }, photo) };
  } catch (error) {
    if (error instanceof TooLate) return { id, isLate: true };
    throw error;
  }
}

process.on('message', async (request: FindTask & { id: number }) => answer(await handle(request)));
await sayReady();
