import { readFile } from 'node:fs/promises';

/** A photo that comes with the embedded service: one person (`portrait`), or several (`group`). */
export const samplePhoto = (name: 'portrait' | 'group'): Promise<Buffer> =>
  readFile(new URL(`../../src/generation-service/samples/${name}.jpg`, import.meta.url));
