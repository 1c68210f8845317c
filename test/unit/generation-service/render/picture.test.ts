import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { readCanvas } from '../../../../src/generation-service/render/canvas.ts';
import { outpaint } from '../../../../src/generation-service/render/group-photo.ts';
import { renderFace, renderGroup } from '../../../../src/generation-service/render/picture.ts';

const photo = (width: number, height: number, background = '#3a7d44') =>
  sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
const sizeOf = async (bytes: Uint8Array) => {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
};
const face = { kind: 'face', ratio: 'square', engine: 'v6.1', seed: 5 } as const;
const group = { kind: 'group', look: 'classic', outpaint: false, seed: 5 } as const;

/** Share of pixels that differ between two pictures of the same size, in a band given in shares of the height. */
async function changed(a: Uint8Array, b: Uint8Array, from: number, to: number): Promise<number> {
  const [first, second] = [await readCanvas(sharp(a)), await readCanvas(sharp(b))];
  const start = Math.floor(first.height * from) * first.width * 3;
  const end = Math.floor(first.height * to) * first.width * 3;
  let count = 0;
  for (let i = start; i < end; i += 3) {
    if (Math.abs((first.data[i] ?? 0) - (second.data[i] ?? 0)) > 24) count += 3;
  }
  return count / (end - start);
}

describe('face pictures', () => {
  it.each([
    ['portrait', 1200, 1800],
    ['landscape', 1800, 1200],
    ['square', 1280, 1280],
  ] as const)('are exactly %s %i x %i, from any photo', async (ratio, width, height) => {
    for (const input of [await photo(90, 400), await photo(400, 90)]) {
      expect(await sizeOf(await renderFace({ ...face, ratio, filter: 'face/22' }, [input], []))).toEqual([
        width,
        height,
      ]);
    }
  });

  it('look different with each engine', async () => {
    const input = await photo(300, 300);
    const [newest, v5, v1] = await Promise.all(
      (['v6.1', 'v5', 'v1'] as const).map((engine) =>
        renderFace({ ...face, engine, filter: 'face/22' }, [input], []),
      ),
    );
    expect(newest).not.toEqual(v5);
    expect(v5).not.toEqual(v1);
  });

  it('show the words of the prompt in the lower part', async () => {
    const input = await photo(300, 300);
    const render = (prompt: string) => renderFace({ ...face, prompt }, [input], []);
    const [one, other] = [await render('noir hello'), await render('noir world wide web')];
    expect(await changed(one, other, 0.85, 1)).toBeGreaterThan(0.004);
    expect(await changed(one, other, 0, 0.5)).toBeLessThan(0.001);
  });
});

describe('group pictures', () => {
  it('keep the orientation and proportions of the photo at a bounded size', async () => {
    const task = { ...group, filter: 'classic/3' };
    expect(await sizeOf(await renderGroup(task, [await photo(300, 200)], []))).toEqual([1800, 1200]);
    expect(await sizeOf(await renderGroup(task, [await photo(200, 400)], []))).toEqual([900, 1800]);
  });

  it('set several photos side by side', async () => {
    const inputs = [await photo(200, 300, '#ff0000'), await photo(200, 300, '#0000ff')];
    const { data, width, height } = await readCanvas(
      sharp(await renderGroup({ ...group, filter: 'classic/5' }, inputs, [])),
    );
    const at = (x: number) => (Math.floor(height / 2) * width + x) * 3;
    expect((data[at(width / 4)] ?? 0) > (data[at(width / 4) + 2] ?? 0)).toBe(true);
    expect((data[at((width * 3) / 4)] ?? 0) < (data[at((width * 3) / 4) + 2] ?? 0)).toBe(true);
  });

  it('are larger with outpaint, with the photo unchanged in the middle', async () => {
    const canvas = await readCanvas(sharp(await photo(300, 200)));
    const wide = await outpaint(canvas);
    expect([wide.width, wide.height]).toEqual([300 + 2 * 78, 200 + 2 * 52]);
    const row = (y: number) =>
      wide.data.subarray(((52 + y) * wide.width + 78) * 3, ((52 + y) * wide.width + 378) * 3);
    expect(row(100)).toEqual(canvas.data.subarray(100 * 300 * 3, 101 * 300 * 3));
    const wider = { ...group, outpaint: true, filter: 'classic/2' };
    const rendered = await renderGroup(wider, [await photo(300, 200)], []);
    expect(await sizeOf(rendered)).toEqual([1800 + 2 * 468, 1200 + 2 * 312]);
  });
});
