// @module-tag slow
// @module-tag longest
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createFaceFinder } from '../../../../src/faces/finder.ts';
import { personNames, photoOf } from '../../../people/people.ts';

const root = join(import.meta.dirname, '../../../..');
const finder = createFaceFinder();
afterAll(() => finder.close());

/** Far under the threshold. */
const MOST_RISK = 0.6;

async function riskOf(picture: Uint8Array): Promise<number> {
  const { porn, hentai } = await finder.content(picture);
  return porn + hentai;
}

describe('the content check gives no false alarm', () => {
  it('the content check gives no false alarm for any sample and preview that comes with the program, and the pictures of its documents', async () => {
    const files = globSync(
      ['src/generation-service/{samples,previews}/**/*.{jpg,png,webp}', 'docs/**/*.{jpg,png,webp}'],
      { cwd: root },
    );
    expect(files.length).toBeGreaterThan(120);
    const risky: string[] = [];
    for (const file of files) {
      const risk = await riskOf(await readFile(join(root, file)));
      if (risk >= MOST_RISK) risky.push(`${file}: ${risk.toFixed(2)}`);
    }
    expect(risky).toEqual([]);
  });

  it.each(personNames)(
    'the content check gives no false alarm for a photo of %s, who is drawn for tests',
    async (name) => {
      expect(await riskOf(await photoOf(name))).toBeLessThan(MOST_RISK);
    },
  );
});
