/** The child process that finds faces: it holds no secrets and can be killed. One request at a time. */
import { answer, sayReady } from '../base/worker-side.ts';
import { decodeOnlyPhotos } from '../picture/only-photos.ts';
import { PictureRefused } from '../picture/structure.ts';
import { cutOutPeople } from './cut-out.ts';
import { findFaces } from './find.ts';
import type { FindAnswer, FindTask } from './finder.ts';
import { loadModels } from './models.ts';
import { type Photo, readPhoto } from './photo.ts';

// LiteRT reports what it does, and that there is no graphics card.
console.warn = () => undefined;
console.error = () => undefined;

decodeOnlyPhotos();
const models = await loadModels();

async function handle({ id, kind, photo: bytes }: FindTask & { id: number }): Promise<FindAnswer> {
  let photo: Photo;
  try {
    photo = await readPhoto(bytes);
  } catch (error) {
    return { id, refused: error instanceof PictureRefused ? error.reason : 'broken' };
  }
  return kind === 'faces'
    ? { id, faces: await findFaces(models, photo) }
    : { id, cutOut: await cutOutPeople(models.person, photo) };
}

process.on('message', async (request: FindTask & { id: number }) => answer(await handle(request)));
await sayReady();
