// @module-tag slow
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Face } from '../../../../src/faces/face.ts';
import {
  type Canvas,
  createCanvas,
  createRandom,
  readCanvas,
} from '../../../../src/generation-service/render/canvas.ts';
import { coverSize } from '../../../../src/generation-service/render/crop.ts';
import { catalogs, customFilters } from '../../../../src/generation-service/render/filters/all.ts';
import { groupCanvas, outpaint } from '../../../../src/generation-service/render/group-photo.ts';
import { renderFace, renderGroup } from '../../../../src/generation-service/render/picture.ts';
import { applySteps } from '../../../../src/generation-service/render/steps.ts';
import { photoOf } from '../../../e2e/stage/pictures.ts';
import { faceIn } from '../../../people/face-in.ts';

const photo = (width: number, height: number, background = '#3a7d44') => photoOf(background, width, height);

const sizeOf = async (bytes: Uint8Array) => {
  const { width, height } = await sharp(bytes).metadata();
  return [width, height];
};

const face = { kind: 'face', ratio: 'square', engine: 'v6.1', seed: 5 } as const;
const group = { kind: 'group', look: 'classic', outpaint: false, seed: 5 } as const;

/** Share of pixels that differ between two pictures of the same size, in a band given in shares of the height. */
async function changed(a: Uint8Array, b: Uint8Array, from: number, to: number): Promise<number> {
  const first = await readCanvas(sharp(a));
  const second = await readCanvas(sharp(b));
  const start = Math.floor(first.height * from) * first.width * 3;
  const end = Math.floor(first.height * to) * first.width * 3;
  let count = 0;
  for (let i = start; i < end; i += 3) {
    if (Math.abs((first.data[i] ?? 0) - (second.data[i] ?? 0)) > 24) count += 3;
  }
  return count / (end - start);
}

describe('face pictures', () => {
  it('face pictures look different with each engine', async () => {
    const input = await photo(300, 300);
    const [newest, v5, v1] = await Promise.all(
      (['v6.1', 'v5', 'v1'] as const).map((engine) =>
        renderFace({ ...face, engine, filter: 'face/22' }, [input], []),
      ),
    );
    expect(newest).not.toEqual(v5);
    expect(v5).not.toEqual(v1);
  });

  it('face pictures show the words of the prompt in the lower part', async () => {
    const input = await photo(300, 300);
    const render = (prompt: string) => renderFace({ ...face, prompt }, [input], []);
    const one = await render('noir hello');
    const other = await render('noir world wide web');

    expect(await changed(one, other, 0.85, 1)).toBeGreaterThan(0.004);
    expect(await changed(one, other, 0, 0.5)).toBeLessThan(0.001);
  });
});

describe('group pictures', () => {
  it('group pictures keep the orientation and proportions of the photo at a bounded size', async () => {
    const task = { ...group, filter: 'classic/3' };

    expect(await sizeOf(await renderGroup(task, [await photo(300, 200)], []))).toEqual([1800, 1200]);
    expect(await sizeOf(await renderGroup(task, [await photo(200, 400)], []))).toEqual([900, 1800]);
  });

  it('group pictures set several photos side by side', async () => {
    const inputs = [await photo(200, 300, '#ff0000'), await photo(200, 300, '#0000ff')];
    const { data, width, height } = await readCanvas(
      sharp(await renderGroup({ ...group, filter: 'classic/5' }, inputs, [])),
    );
    const at = (x: number) => (Math.floor(height / 2) * width + x) * 3;

    expect((data[at(width / 4)] ?? 0) > (data[at(width / 4) + 2] ?? 0)).toBe(true);
    expect((data[at((width * 3) / 4)] ?? 0) < (data[at((width * 3) / 4) + 2] ?? 0)).toBe(true);
  });

  it('group pictures are larger with outpaint, with the photo unchanged in the middle', async () => {
    const canvas = await readCanvas(sharp(await photo(300, 200)));
    const wide = await outpaint(canvas);

    expect(wide.width).toEqual(300 + 2 * 78);
    expect(wide.height).toEqual(200 + 2 * 52);

    const row = (y: number) =>
      wide.data.subarray(((52 + y) * wide.width + 78) * 3, ((52 + y) * wide.width + 378) * 3);

    expect(row(100)).toEqual(canvas.data.subarray(100 * 300 * 3, 101 * 300 * 3));

    const wider = { ...group, outpaint: true, filter: 'classic/2' };
    const rendered = await renderGroup(wider, [await photo(300, 200)], []);

    expect(await sizeOf(rendered)).toEqual([1800 + 2 * 468, 1200 + 2 * 312]);
  });
});

/** Where heads are in a photo of 600 by 200 pixels. */
const LEFT = { left: 20, top: 60, width: 40, height: 50 };
const MIDDLE = { left: 480, top: 90, width: 30, height: 40 };
const RIGHT = { left: 540, top: 90, width: 30, height: 40 };

/** A white photo with red heads. */
const headsOf = (boxes: readonly Face['box'][]): Promise<Buffer> => {
  const drawn = boxes.map(
    ({ left, top, width, height }) =>
      `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#f00"/>`,
  );
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="200">${drawn.join('')}</svg>`;
  return sharp(Buffer.from(svg)).flatten({ background: '#fff' }).png().toBuffer();
};

const facesOf = (boxes: readonly Face['box'][]): Face[] => boxes.map((box) => faceIn(box));

async function redPixels(boxes: readonly Face['box'][]): Promise<number> {
  return redIn(await coverSize(await headsOf(boxes), { width: 200, height: 200 }, facesOf(boxes)));
}

function redIn({ data }: Canvas): number {
  let count = 0;
  for (let i = 0; i < data.length; i += 3) if ((data[i] ?? 0) > 200 && (data[i + 1] ?? 0) < 60) count += 1;
  return count;
}

it('a photo is cut around the faces so that no head is cut, wherever it is', async () => {
  expect(await redPixels([LEFT])).toBe(40 * 50);
  expect(await redPixels([RIGHT])).toBe(30 * 40);
  expect(await redPixels([MIDDLE, RIGHT])).toBe(2 * 30 * 40);

  // The three heads do not fit together, so the largest is shown whole.
  expect(await redPixels([LEFT, MIDDLE, RIGHT])).toBe(40 * 50);
});

it('photos side by side are cut around their faces, too', async () => {
  const faces = [LEFT];
  // Something that catches the eye more than the face does.
  const sign = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><path d="M0 0h300v200z" fill="#fc0"/><path d="M60 0l180 200M240 0L60 200" stroke="#00f" stroke-width="25"/></svg>`;

  const wide = await sharp(await headsOf(faces))
    .extend({ right: 1_800, background: '#fff' })
    .composite([{ input: Buffer.from(sign), left: 2_000, top: 0 }])
    .toBuffer();
  // A third of the sheet's width, and its height is that of the photo.
  const sheet = await groupCanvas([wide, wide, wide], [facesOf(faces), facesOf(faces), facesOf(faces)]);
  const zoom = (sheet.height - 24) / 200;

  expect(redIn(sheet) / (3 * 40 * 50 * zoom ** 2)).toBeCloseTo(1, 1);
});

const context = { unit: 1, random: createRandom(1), title: 'Test' };

const firstPixel = async (...steps: Parameters<typeof applySteps>[1]) => [
  ...(await applySteps(createCanvas({ width: 4, height: 4 }, '#204060'), steps, context)).data.subarray(0, 3),
];

describe('the steps of a filter', () => {
  it('the steps of a filter are applied one after the other', async () => {
    expect(await firstPixel()).toEqual([0x20, 0x40, 0x60]);
    expect(await firstPixel({ gradientMap: ['#ffffff', '#ffffff'] }, { grade: { brightness: -55 } })).toEqual(
      [200, 200, 200],
    );
  });

  it('the steps of a filter are blended with the picture before them by opacity', async () => {
    const step = { gradientMap: ['#ffffff', '#ffffff'], opacity: 0.25 };

    expect(await firstPixel(step)).toEqual([88, 112, 136]);
  });

  it('the steps of a filter take a bounded time for a very thin photo', async () => {
    const thin = createCanvas({ width: 1800, height: 4 });
    const small = { ...context, unit: 0.003 };

    expect(await applySteps(thin, [{ lowPoly: 30 }], small)).toMatchObject({ width: 1800, height: 4 });
  });

  it('the steps of a filter name one operation each, so that their order is clear', () => {
    const steps = [...Object.values(catalogs).flat(), ...customFilters].flatMap((filter) => filter.steps);
    const operations = steps.map((step) => Object.keys(step).filter((name) => name !== 'opacity'));

    expect(operations.filter((names) => names.length !== 1)).toEqual([]);
  });
});
