import { readFile } from 'node:fs/promises';

/** Drawn sample photos for the playground. */
const samples = [
  { name: 'portrait', label: 'Sample portrait' },
  { name: 'group', label: 'Sample group photo' },
];

export const readSamples = () =>
  Promise.all(
    samples.map(async (sample) => ({
      ...sample,
      type: 'image/jpeg',
      bytes: new Uint8Array(
        await readFile(new URL(`../../generation-service/samples/${sample.name}.jpg`, import.meta.url)),
      ),
    })),
  );
