import { readFile } from 'node:fs/promises';

/** Drawn sample photos for the playground. */
const SAMPLES = [
  { name: 'portrait', label: 'Sample portrait' },
  { name: 'group', label: 'Sample group photo' },
];

export function readSamples() {
  return Promise.all(
    SAMPLES.map(async (sample) => ({
      ...sample,
      type: 'image/jpeg',
      bytes: new Uint8Array(
        await readFile(new URL(`../../generation-service/samples/${sample.name}.jpg`, import.meta.url)),
      ),
    })),
  );
}
