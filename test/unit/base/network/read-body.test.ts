import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readBody, TooSlow, watchRate } from '../../../../src/base/network/read-body.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const MB = 1024 * 1024;

async function* pieces(count: number, bytes: number, before?: (piece: number) => Promise<void>) {
  for (let piece = 0; piece < count; piece += 1) {
    await before?.(piece);
    yield Buffer.alloc(bytes, piece);
  }
}

describe('a body', () => {
  it.each([undefined, 40 * 5000, 10])('a body is read into one buffer (announced: %s)', async (announced) => {
    const read = await readBody(pieces(40, 5000), { maxBytes: MB, announced });

    expect(read).toEqual(Buffer.concat(Array.from({ length: 40 }, (_, piece) => Buffer.alloc(5000, piece))));
  });

  it('the read of a body stops at the limit, before the first byte if the length is announced', async () => {
    expect(await readBody(pieces(40, 5000), { maxBytes: 100_000 })).toBe('too-large');

    const never = async (): Promise<void> => Promise.reject(new Error('read'));

    expect(await readBody(pieces(1, 1, never), { maxBytes: 100, announced: 101 })).toBe('too-large');
  });

  it('a body reserves memory once, for the announced or the maximum size, but not for its first bytes', async () => {
    const asked: number[] = [];
    const reserve = async (bytes: number): Promise<void> => void asked.push(bytes);

    await readBody(pieces(3, 10_000), { maxBytes: MB, reserve });

    expect(asked).toEqual([]);

    await readBody(pieces(30, 10_000), { maxBytes: MB, announced: 300_000, reserve });
    await readBody(pieces(30, 10_000), { maxBytes: MB, reserve });

    expect(asked).toEqual([300_000, MB]);
  });
});

it('a body is not read on before its memory is granted', async () => {
  let read = 0;
  const { promise: granted, resolve: grant } = Promise.withResolvers<void>();
  const body = pieces(30, 10_000, async () => {
    read += 1;
  });

  const done = readBody(body, { maxBytes: MB, reserve: () => granted });
  for (let count = 0; count < 30; count += 1) await turn();

  expect(read).toBeLessThan(10);

  grant();

  expect(await done).toHaveLength(300_000);
});

describe('a minimum rate', () => {
  it('a minimum rate aborts a slow transfer, and not one that is fast enough', async () => {
    const clock = createFakeClock();
    const slow = watchRate(clock, { bytes: 1000, windowMs: 10_000 });
    const fast = watchRate(clock, { bytes: 1000, windowMs: 10_000 });

    for (let second = 0; second < 30; second += 1) {
      slow.received(1);
      fast.received(100);
      await clock.advance(1_000);
    }
    expect(slow.signal.reason).toBeInstanceOf(TooSlow);
    expect(fast.signal.aborted).toBe(false);

    fast.stop();

    expect(clock.pending).toBe(0);
  });

  it('the minimum rate grows with the reserved memory, so that a transfer that cannot finish is aborted early', async () => {
    const clock = createFakeClock();
    const watches = [10 * MB, undefined].map((announced) => {
      const rate = watchRate(clock, { bytes: 1000, windowMs: 10_000 }, 100_000);
      async function* creeping() {
        yield Buffer.alloc(100_000);
        for (;;) {
          await clock.advance(1_000);
          rate.signal.throwIfAborted();
          yield Buffer.alloc(2_000);
        }
      }
      return readBody(creeping(), { maxBytes: 40 * MB, announced, rate });
    });
    for (const read of watches) await expect(read).rejects.toBeInstanceOf(TooSlow);

    expect(clock.now()).toBeLessThan(createFakeClock().now() + 60_000);
  });

  it('the minimum rate does not count the time spent waiting for memory, and has a maximum', async () => {
    const clock = createFakeClock();
    const rate = watchRate(clock, { bytes: 1, windowMs: 10_000 }, 30_000);
    let arrived = (): void => {};
    const paused = rate.pausedFor(new Promise<void>((resolve) => (arrived = resolve)));

    await clock.advance(60_000);

    expect(rate.signal.aborted).toBe(false);

    arrived();
    await paused;
    for (let second = 0; second < 31; second += 1) {
      rate.received(1_000_000);
      await clock.advance(1_000);
    }
    expect(rate.signal.reason).toBeInstanceOf(TooSlow);

    const stopped = watchRate(clock);
    const waits = stopped.pausedFor(turn());
    stopped.stop();
    await waits;

    expect(clock.pending).toBe(0);
  });
});
