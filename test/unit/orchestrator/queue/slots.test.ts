import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSlots, type GateState, type Slots } from '../../../../src/orchestrator/queue/slots.ts';

const limitsOf = (perPerson: number, inAll: number, now = () => 0): Slots =>
  createSlots({ perPerson, inAll, now });
const open = (): GateState => 'open';

function drain(limits: Slots, finish = true): string[] {
  const order: string[] = [];
  for (let turn = limits.next(open); turn !== undefined; turn = limits.next(open)) {
    order.push(turn.id);
    if (finish) limits.release(turn.id);
  }
  return order;
}

const fill = (limits: Slots, ids: readonly string[]): void => {
  for (const id of ids) limits.wait(id, id.replace(/\d+$/, ''), 'key');
};

describe('turns', () => {
  it('lets people take turns: many jobs of one person delay another’s first by at most one', () => {
    const limits = limitsOf(100, 1);
    limits.resume('busy', 'somebody');
    const tenOfAnn = Array.from({ length: 10 }, (_, i) => `ann${i}`);
    fill(limits, [...tenOfAnn, 'ben0', 'cid0', 'ben1']);
    limits.release('busy');
    expect(drain(limits).slice(0, 6)).toEqual(['ann0', 'ben0', 'cid0', 'ann1', 'ben1', 'ann2']);
  });

  it('keeps the order of one person’s own jobs', () => {
    const limits = limitsOf(1, 1);
    fill(limits, ['ann0', 'ann1', 'ann2']);
    expect(drain(limits)).toEqual(['ann0', 'ann1', 'ann2']);
  });

  it('puts a job that paused before the person’s others', () => {
    const limits = limitsOf(1, 1);
    fill(limits, ['ann0', 'ann1']);
    expect(limits.next(open)?.id).toBe('ann0');
    limits.release('ann0');
    limits.wait('ann0', 'ann', 'key', true);
    expect(drain(limits)).toEqual(['ann0', 'ann1']);
  });

  it('gives returning jobs their previous places, in any order', () => {
    const order = ['ann0', 'ben0', 'cid0', 'ann1', 'ann2'];
    fc.assert(
      fc.property(fc.nat({ max: 5 }), fc.shuffledSubarray(order, { minLength: 5 }), (taken, back) => {
        const limits = limitsOf(5, 50);
        fill(limits, ['ann0', 'ann1', 'ann2', 'ben0', 'cid0']);
        const out = Array.from({ length: taken }, () => limits.next(open)?.id);
        for (const id of back) if (out.includes(id)) limits.wait(id, id.slice(0, 3), 'key');
        expect(limits.counts()).toEqual({ waiting: 5, running: 0, people: 0 });
        expect(order.map((id) => limits.place(id)?.position)).toEqual([1, 2, 3, 4, 5]);
        expect(drain(limits)).toEqual(order);
      }),
    );
  });

  it('lets everybody probe the service before anybody probes it twice', () => {
    const limits = limitsOf(5, 50);
    fill(limits, ['ann0', 'ann1', 'ben0', 'cid0']);
    const tried = Array.from({ length: 6 }, () => {
      const id = limits.next(() => 'to be tried')?.id ?? '';
      limits.wait(id, id.slice(0, 3), 'key');
      return id;
    });
    expect(tried).toEqual(['ann0', 'ben0', 'cid0', 'ann0', 'ben0', 'cid0']);
    expect(drain(limits)).toEqual(['ann0', 'ben0', 'cid0', 'ann1']);
  });

  it('starves nobody, however many new people arrive', () => {
    const limits = limitsOf(5, 1);
    fill(limits, ['ann0', 'ann1', 'ann2']);
    let newcomer = 0;
    const order: string[] = [];
    while (!order.includes('ann2') && order.length < 50) {
      fill(limits, [`new${'x'.repeat(++newcomer)}0`]);
      const turn = limits.next(open);
      if (turn === undefined) break;
      order.push(turn.id);
      limits.release(turn.id);
    }
    expect(order.indexOf('ann2')).toBeLessThan(10);
  });

  it('skips jobs whose credentials are suspended', () => {
    const limits = limitsOf(5, 5);
    limits.wait('film', 'ann', 'token');
    limits.wait('picture', 'ben', 'key');
    const keyAlone = (credentials: 'key' | 'token'): GateState => (credentials === 'key' ? 'open' : 'shut');
    expect(limits.next(keyAlone)?.id).toBe('picture');
    expect(limits.next(keyAlone)).toBeUndefined();
    expect(limits.next(open)).toEqual({ id: 'film', person: 'ann', credentials: 'token' });
  });
});

describe('room', () => {
  it('keeps a person at their limit although many slots became free', () => {
    const limits = limitsOf(2, 4);
    for (const id of ['a', 'b', 'c', 'd']) limits.resume(id, `other ${id}`);
    fill(limits, ['ann0', 'ann1', 'ann2', 'ben0']);
    expect(limits.next(open)).toBeUndefined();
    for (const id of ['a', 'b', 'c', 'd']) limits.release(id);
    expect(drain(limits, false)).toEqual(['ann0', 'ben0', 'ann1']);
    limits.release('ann0');
    expect(limits.next(open)?.id).toBe('ann2');
  });

  it('never exceeds the slots, and uses every one that somebody can use', () => {
    const action = fc.record({
      act: fc.constantFrom('wait', 'next', 'next', 'release', 'cancel'),
      person: fc.nat(4),
      film: fc.boolean(),
      pick: fc.nat(1000),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
        const limits = limitsOf(2, 5);
        const waiting = new Map<string, string>();
        const running = new Map<string, string>();
        const runningOf = (person: string) => [...running.values()].filter((one) => one === person).length;
        let count = 0;
        for (const { act, person, film, pick } of actions) {
          const chosen = (from: Map<string, string>) => [...from.keys()][pick % Math.max(1, from.size)];
          if (act === 'wait') {
            const id = `job${++count}`;
            waiting.set(id, `p${person}`);
            limits.wait(id, `p${person}`, film ? 'token' : 'key');
          } else if (act === 'next') {
            const turn = limits.next(open);
            const couldGo = running.size < 5 && [...waiting.values()].some((one) => runningOf(one) < 2);
            expect(turn !== undefined).toBe(couldGo);
            if (turn === undefined) continue;
            running.set(turn.id, waiting.get(turn.id) ?? '');
            waiting.delete(turn.id);
          } else {
            const from = act === 'release' ? running : waiting;
            const id = chosen(from);
            if (id === undefined) continue;
            from.delete(id);
            limits.release(id);
          }
          expect(running.size).toBeLessThanOrEqual(5);
          for (const one of running.values()) expect(runningOf(one)).toBeLessThanOrEqual(2);
          expect(limits.counts()).toEqual({
            waiting: waiting.size,
            running: running.size,
            people: new Set(running.values()).size,
          });
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('place in line', () => {
  it('is the order in which jobs start when one runs at a time', () => {
    const job = fc.record({ person: fc.nat(6), film: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(job, { minLength: 1, maxLength: 60 }),
        fc.array(fc.nat(59), { maxLength: 10 }),
        (jobs, gone) => {
          const limits = limitsOf(1000, 1);
          limits.resume('busy', 'somebody');
          const ids = jobs.map(({ person, film }, i) => {
            limits.wait(`j${i}`, `p${person}`, film ? 'token' : 'key');
            return `j${i}`;
          });
          for (const i of gone) limits.release(`j${i}`);
          const left = ids.filter((_, i) => !gone.includes(i));
          const place = (id: string): number => limits.place(id)?.position ?? 0;
          const places = new Map(left.map((id) => [id, place(id)]));
          limits.release('busy');
          expect(drain(limits).map((id) => places.get(id))).toEqual(left.map((_, i) => i + 1));
        },
      ),
    );
  });

  it('estimates the wait from how long jobs hold their slots', () => {
    let now = 0;
    const limits = limitsOf(1, 1, () => now);
    for (let i = 0; i < 100; i += 1) {
      limits.resume('job', 'ann');
      now += 30_000;
      limits.release('job');
    }
    limits.resume('job', 'ann');
    fill(limits, ['ben0', 'cid0']);
    const waits = [limits.place('ben0'), limits.place('cid0')].map((place) => place?.waitMs ?? 0);
    expect(waits[0]).toBeGreaterThan(29_000);
    expect(waits[0]).toBeLessThan(31_000);
    expect(waits[1]).toBeGreaterThan(59_000);
    expect(limits.place('nobody')).toBeUndefined();
  });
});

it('keeps nothing about people without jobs', () => {
  const limits = limitsOf(2, 50);
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = heap();
  for (let i = 0; i < 100_000; i += 1) {
    limits.wait(`job${i}`, `person ${i}`, 'key');
    const turn = limits.next(open);
    if (turn === undefined) continue;
    limits.release(turn.id);
    limits.submitted(turn);
  }
  expect(limits.counts()).toEqual({ waiting: 0, running: 0, people: 0 });
  expect(heap() - before).toBeLessThan(5_000_000);
});
