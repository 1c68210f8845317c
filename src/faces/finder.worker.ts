/**
 * The child process that finds faces and inspects the content of pictures, one request at a time. It holds no secrets and can
 * be killed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sayReady, sendToParent } from '../base/worker-side.ts';
import { decodeOnlyPhotos } from '../picture/only-photos.ts';
import { PictureRefused } from '../picture/structure.ts';
import { type Content, contentOf, worstOf } from '../safety/content/content.ts';
import { contentModel } from '../safety/content/model.ts';
import { pixelsForContentModel } from '../safety/content/read-content.ts';
import { cutOutPeople } from './cut-out.ts';
import { findFaces } from './find.ts';
import type { FindAnswer, FindTask } from './finder.ts';
import { loadModel, loadModels, type Model } from './models.ts';
import { type DecodedPhoto, decodePhoto } from './photo.ts';

// LiteRT logs its progress, and that there is no graphics card.
console.warn = () => undefined;
console.error = () => undefined;

decodeOnlyPhotos();
const models = await loadModels();

/** Loaded with the first picture and kept, because loading takes longer than ten pictures. */
let content: Promise<Model> | undefined;

class Stopped extends Error {}

/** The id of the request that was cancelled. */
let stopped: number | undefined;

const stoppable = (id: number, { side, run }: Model): Model => ({
  side,
  async run(pixels) {
    // The message that cancels a request is received between two turns of the event loop.
    await nextTurn();
    if (stopped === id) throw new Stopped();
    return run(pixels);
  },
});

const refused = (id: number, error: unknown): FindAnswer => ({
  id,
  refused: error instanceof PictureRefused ? error.reason : 'broken',
});

async function lookAtContent(id: number, picture: Uint8Array): Promise<FindAnswer> {
  let views: readonly Float32Array[];
  try {
    views = await pixelsForContentModel(picture);
  } catch (error) {
    return refused(id, error);
  }
  content ??= loadModel(contentModel());
  const model = await content;
  const contents: Content[] = [];
  for (const pixels of views) {
    const [numbers] = await model.run(pixels);
    contents.push(contentOf(numbers));
  }
  return { id, content: worstOf(contents) ?? contentOf(undefined) };
}

async function handle({ id, kind, photo: bytes, most }: FindTask & { id: number }): Promise<FindAnswer> {
  if (kind === 'content') return lookAtContent(id, bytes);
  let photo: DecodedPhoto;
  try {
    photo = await decodePhoto(bytes);
  } catch (error) {
    return refused(id, error);
  }
  if (kind === 'cut-out') return { id, cutOut: await cutOutPeople(models.person, photo) };
  try {
    const detector = stoppable(id, models.detector);
    const landmarks = stoppable(id, models.landmarks);
    return { id, faces: await findFaces({ ...models, detector, landmarks }, photo, most) };
  } catch (error) {
    if (error instanceof Stopped) return { id, isStopped: true };
    throw error;
  }
}

process.on('message', async (request: (FindTask & { id: number }) | { stop: number }) => {
  if ('stop' in request) stopped = request.stop;
  else sendToParent(await handle(request));
});
// Runs at normal priority: people wait for the result, and the process is busy for a moment only; at a lower priority they
// would wait long on a busy machine.
await sayReady({ yields: false });
