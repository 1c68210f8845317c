import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { type Area, pixelsOf, WHOLE } from '../../../src/base/area.ts';
import type { Face } from '../../../src/faces/face.ts';
import { createFaceFinder, type FaceFinder } from '../../../src/faces/finder.ts';
import { peopleIn } from '../../../src/faces/people.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import { isAlive } from '../../is-alive.ts';
import { faceIn } from '../../people/face-in.ts';
import { folderForEach } from '../../temp-folder.ts';

const program = new URL('../../fakes/odd-finder.ts', import.meta.url);
const plain = Buffer.from('a photo without faces');
const told = (order: string): Buffer => Buffer.from(order);

let clock: FakeClock;
let finder: FaceFinder;

const start = (its = program): FaceFinder => {
  clock = createFakeClock();
  finder = createFaceFinder({ clock, program: its });
  return finder;
};

afterEach(() => finder.close());

const busy = (): Promise<unknown> => eventually(() => finder.pids().length === 1 && clock.pending === 1);

describe('the process that finds faces', () => {
  it('the process that finds faces is started with the first photo, takes one at a time, and ends when idle', async () => {
    start();

    expect(finder.pids()).toEqual([]);
    expect(await Promise.all([finder.find(plain), finder.find(plain)])).toEqual([[], []]);

    const [pid = 0, ...others] = finder.pids();

    expect(others).toEqual([]);

    await clock.advance(60_000);
    await eventually(() => !isAlive(pid));

    expect(await finder.find(plain)).toEqual([]);
  });

  it('the process that finds faces is started before the photo comes, once', async () => {
    start();

    finder.warm();
    finder.warm();
    const [pid] = await eventually(() => finder.pids().length > 0 && finder.pids());

    expect(await finder.find(plain)).toEqual([]);

    finder.warm();

    expect(await finder.find(plain)).toEqual([]);
    expect(finder.pids()).toEqual([pid]);
  });

  it('the process that finds faces is not asked about a photo that is no longer wanted', async () => {
    start();
    const first = expect(finder.find(told('hang'), { person: 'ann' })).rejects.toThrow();

    await busy();
    const unwanted = new AbortController();
    const second = expect(
      finder.find(told('crash'), { person: 'bob', signal: unwanted.signal }),
    ).rejects.toThrow('too late');
    unwanted.abort(new Error('too late'));
    await second;
    await clock.advance(30_000);
    await first;

    expect(await finder.find(plain)).toEqual([]);
  });

  describe('that cannot be started', () => {
    const folder = folderForEach();

    /** A program that notes each of its starts in a file, and then does this instead of getting ready. */
    const startWith = async (statement: string) => {
      const starts = folder('starts');
      const file = folder('program.mjs');
      const noteStart = `appendFileSync(${JSON.stringify(starts)}, 'x');`;
      await writeFile(file, `import { appendFileSync } from 'node:fs';\n${noteStart}\n${statement}\n`);
      start(pathToFileURL(file));
      return { count: async () => (await readFile(starts, 'utf8').catch(() => '')).length };
    };

    it('a finder that cannot be started is tried once, however often a photo is announced, and again after a minute', async () => {
      const starts = await startWith('process.exit(1);');
      for (let i = 0; i < 20; i += 1) finder.warm();
      await expect(finder.find(plain)).rejects.toThrow('could not be started');

      for (let i = 0; i < 20; i += 1) finder.warm();
      await expect(finder.find(plain)).rejects.toThrow('could not be started');
      expect(await starts.count()).toBe(1);

      await clock.advance(60_000);
      await expect(finder.find(plain)).rejects.toThrow('could not be started');
      expect(await starts.count()).toBe(2);
    });

    it('a finder that cannot be started is waited for once by all photos, and by each no longer than it is wanted', async () => {
      const starts = await startWith('setInterval(() => undefined, 1_000);');

      for (let i = 0; i < 20; i += 1) finder.warm();
      await eventually(async () => (await starts.count()) === 1);
      const unwanted = new AbortController();
      const first = finder.find(plain, { person: 'ann', signal: unwanted.signal });
      const second = finder.find(plain, { person: 'bob' });
      const both = Promise.all([
        expect(first).rejects.toThrow('too late'),
        expect(second).rejects.toThrow('could not be started'),
      ]);
      unwanted.abort(new Error('too late'));

      await expect(first).rejects.toThrow();

      // The time that a process has for its start.
      await clock.advance(60_000);
      await both;

      expect(await starts.count()).toBe(1);
      expect(clock.pending).toBe(0);
    });
  });

  it.each(['crash', 'lie'])('the process that finds faces is replaced after a %s', async (order) => {
    start();
    await expect(finder.find(told(order))).rejects.toThrow('the face finder stopped');
    expect(await finder.find(plain)).toEqual([]);
  });

  it('the process that finds faces ends with the finder, whose photos are refused', async () => {
    start();
    const working = expect(finder.find(told('hang'))).rejects.toThrow('the face finder');
    const waiting = expect(finder.find(plain)).rejects.toThrow('the face finder');

    await busy();
    const [pid = 0] = finder.pids();
    finder.close();
    await Promise.all([working, waiting]);
    await eventually(() => !isAlive(pid));
  });
});

const size = { width: 1_600, height: 1_000 };

const faceAt = (left: number, top: number, width: number, height = width) =>
  faceIn({ left, top, width, height });

const cutsOf = (faces: readonly Face[], leastSide = 512): readonly Area[] =>
  peopleIn(faces, size, leastSide).map(({ cut }) => pixelsOf(cut, size));

const contains = (area: Area, { left, top, width, height }: Face['box']): boolean =>
  area.left <= left + 1 &&
  area.top <= top + 1 &&
  area.left + area.width >= left + width - 1 &&
  area.top + area.height >= top + height - 1;

const touches = (a: Area, b: Face['box']): boolean =>
  a.left < b.left + b.width - 1 &&
  b.left < a.left + a.width - 1 &&
  a.top < b.top + b.height - 1 &&
  b.top < a.top + a.height - 1;

it('people in a photo are numbered from left to right, however large each face is', () => {
  const people = peopleIn([faceAt(1_000, 300, 300), faceAt(100, 300, 100), faceAt(600, 600, 200)], size, 0);

  expect(people.map(({ portrait }) => portrait.left)).toEqual(
    people.map(({ portrait }) => portrait.left).toSorted((a, b) => a - b),
  );
});

it('people who pass by far behind in a photo are left out', () => {
  expect(peopleIn([faceAt(600, 300, 400), faceAt(50, 300, 90)], size, 0)).toHaveLength(1);
  expect(peopleIn([faceAt(600, 300, 400), faceAt(50, 300, 110)], size, 0)).toHaveLength(2);
});

it.each([
  { what: 'in a row', faces: [faceAt(100, 300, 200), faceAt(420, 320, 190), faceAt(900, 300, 210)] },
  { what: 'one above the other', faces: [faceAt(700, 100, 200), faceAt(720, 500, 200)] },
  { what: 'in two rows', faces: [faceAt(200, 100, 150), faceAt(900, 100, 150), faceAt(550, 420, 160)] },
  { what: 'cheek to cheek', faces: [faceAt(500, 300, 200), faceAt(702, 310, 200)] },
  { what: 'in the corners', faces: [faceAt(0, 0, 120), faceAt(1_480, 880, 120)] },
])('a cut of a photo shows one person whole and nobody else: $what', ({ faces }) => {
  const sorted = faces.toSorted((a, b) => a.box.left - b.box.left);
  for (const [index, cut] of cutsOf(faces).entries())
    for (const [other, { box }] of sorted.entries()) {
      expect(contains(cut, box)).toBe(other === index);
      expect(touches(cut, box)).toBe(other === index);
    }
});

it('a cut of a photo has 512 pixels a side where there is room for them, and a margin', () => {
  for (const { width, height } of cutsOf([faceAt(100, 400, 60), faceAt(1_300, 400, 60)])) {
    expect(width).toBe(512);
    expect(height).toBe(512);
  }

  const [large] = cutsOf([faceAt(600, 300, 300)]);

  expect(large?.width).toBe(720);
  expect(cutsOf([faceAt(500, 300, 200), faceAt(760, 300, 200)])[0]?.height).toBe(560);

  // A photo that has no more.
  expect(peopleIn([faceAt(20, 20, 60)], { width: 100, height: 100 }, 512)[0]?.cut).toEqual(WHOLE);
});
