import { afterEach, describe, expect, it } from 'vitest';
import { createFaceFinder, type FaceFinder } from '../../../src/faces/finder.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';

const program = new URL('../../fakes/odd-finder.ts', import.meta.url);
const plain = Buffer.from('a photo without faces');
const told = (order: string): Buffer => Buffer.from(order);

let clock: FakeClock;
let finder: FaceFinder;
const start = (): FaceFinder => {
  clock = createFakeClock();
  finder = createFaceFinder({ clock, program });
  return finder;
};
afterEach(() => finder.close());

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const busy = (): Promise<unknown> => eventually(() => finder.pids().length === 1 && clock.pending === 1);

describe('the process that finds faces', () => {
  it('is started with the first photo, takes one at a time, and ends when it is idle', async () => {
    start();
    expect(finder.pids()).toEqual([]);
    expect(await Promise.all([finder.find(plain), finder.find(plain)])).toEqual([[], []]);
    const [pid = 0, ...others] = finder.pids();
    expect(others).toEqual([]);
    await clock.advance(60_000);
    await eventually(() => !isAlive(pid));
    expect(await finder.find(plain)).toEqual([]);
  });

  it('is started before the photo comes, once', async () => {
    start();
    finder.warm();
    finder.warm();
    const [pid] = await eventually(() => finder.pids().length > 0 && finder.pids());
    expect(await finder.find(plain)).toEqual([]);
    finder.warm();
    expect(await finder.find(plain)).toEqual([]);
    expect(finder.pids()).toEqual([pid]);
  });

  it('is not asked about a photo that is no longer wanted', async () => {
    start();
    const first = expect(finder.find(told('hang'), { person: 'ann', deadlineMs: 5_000 })).rejects.toThrow();
    await busy();
    const unwanted = new AbortController();
    const second = expect(
      finder.find(told('crash'), { person: 'bob', signal: unwanted.signal }),
    ).rejects.toThrow('too late');
    unwanted.abort(new Error('too late'));
    await second;
    await clock.advance(5_000);
    await first;
    expect(await finder.find(plain)).toEqual([]);
  });

  it.each(['crash', 'lie'])('is replaced after a %s', async (order) => {
    start();
    await expect(finder.find(told(order))).rejects.toThrow('the face finder stopped');
    expect(await finder.find(plain)).toEqual([]);
  });

  it('ends with the finder, whose photos are refused', async () => {
    start();
    const [working, waiting] = [finder.find(told('hang')), finder.find(plain)].map((found) =>
      expect(found).rejects.toThrow('the face finder'),
    );
    await busy();
    const [pid = 0] = finder.pids();
    finder.close();
    await Promise.all([working, waiting]);
    await eventually(() => !isAlive(pid));
  });
});
