import { describe, expect, it } from 'vitest';
import { createCanvas, createRandom } from '../../../../src/generation-service/render/canvas.ts';
import { catalogs, customFilters } from '../../../../src/generation-service/render/filters/all.ts';
import { applySteps } from '../../../../src/generation-service/render/steps.ts';

const context = { unit: 1, random: createRandom(1), title: 'Test' };
const firstPixel = async (...steps: Parameters<typeof applySteps>[1]) => [
  ...(await applySteps(createCanvas({ width: 4, height: 4 }, '#204060'), steps, context)).data.subarray(0, 3),
];

describe('the steps of a filter', () => {
  it('are applied one after the other', async () => {
    expect(await firstPixel()).toEqual([0x20, 0x40, 0x60]);
    expect(await firstPixel({ gradientMap: ['#ffffff', '#ffffff'] }, { grade: { brightness: -55 } })).toEqual(
      [200, 200, 200],
    );
  });

  it('are blended with the picture before them by opacity', async () => {
    const step = { gradientMap: ['#ffffff', '#ffffff'], opacity: 0.25 };
    expect(await firstPixel(step)).toEqual([88, 112, 136]);
  });

  it('name one operation each, so that their order is clear', () => {
    const steps = [...Object.values(catalogs).flat(), ...customFilters].flatMap((filter) => filter.steps);
    const operations = steps.map((step) => Object.keys(step).filter((name) => name !== 'opacity'));
    expect(operations.filter((names) => names.length !== 1)).toEqual([]);
  });
});
