import { readFile } from 'node:fs/promises';

/** Our own drawings, to try with: nobody's photo is needed for the first picture. */
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
