import { beforeEach, describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../src/base/clock.ts';
import type { Records } from '../../../src/base/keyv/records.ts';
import type { RequestNotice } from '../../../src/safety/requests/request-list.ts';
import {
  newRequestNumber,
  readRequestNumber,
  requestIdOf,
} from '../../../src/safety/requests/request-number.ts';
import { createRequestRecords, type RemovalRequest } from '../../../src/safety/requests/request-records.ts';
import { createRecords, interleaved } from '../../fakes/records.ts';

let state: Records;
let time: number;
beforeEach(() => {
  state = createRecords();
  // Records expire by the machine's time.
  time = Date.now();
});

/** The records as one of the processes has them that share the store. */
const process = (seed?: number) =>
  createRequestRecords(seed === undefined ? state : interleaved(state, seed), () => time);

const requestFrom = (from: string): RemovalRequest => ({
  at: time,
  from,
  contact: 'ann@x.test',
  about: 'me',
});

const ask = async (from = 'ann', records = process()): Promise<string> => {
  const id = requestIdOf(newRequestNumber());
  expect(await records.add(id, requestFrom(from))).toBeUndefined();
  return id;
};

/** The notices that a process takes and sends successfully. */
const sent = async (records = process()): Promise<readonly RequestNotice[]> => {
  const notices = await records.takeNotices();
  for (const notice of notices) if (notice.kind !== 'several') await records.afterNotice(notice.id, false);
  return notices;
};
const kinds = (notices: readonly RequestNotice[]): readonly string[] => notices.map(({ kind }) => kind);

describe('numbers of requests', () => {
  it('the number of a request is understood as people write it down', () => {
    const number = newRequestNumber();
    expect(readRequestNumber(`  ${number.toLowerCase().replaceAll('-', '')} `)).toBe(number);
    expect(readRequestNumber('O0I1'.repeat(7))).toBe('0011-'.repeat(7).slice(0, -1));
  });

  it.each(['', 'U'.repeat(28), '0'.repeat(27), '0'.repeat(29), '0'.repeat(10_000), '\u0000'.repeat(28)])(
    'what is no number of a request is not taken for one: %j',
    (typed) => expect(readRequestNumber(typed)).toBeUndefined(),
  );
});

describe('bounds of requests', () => {
  it('the bound of requests in a minute holds for all processes together', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, each) => process(each + 1).admit(`address ${each}`)),
    );

    expect(answers.filter((answer) => answer === undefined)).toHaveLength(30);
    expect(new Set(answers)).toEqual(new Set([undefined, 'busy']));

    time += MINUTE_MS;

    expect(await process().admit('address 1')).toBeUndefined();
  });

  it('the bound of open requests of one address holds whichever processes store them', async () => {
    const add = (each: number) =>
      process(each + 1).add(requestIdOf(`number ${each}`), requestFrom('one address'));
    const answers = await Promise.all(Array.from({ length: 30 }, (_, each) => add(each)));

    expect(answers.filter((answer) => answer === undefined)).toHaveLength(20);
    expect((await process().all()).open).toHaveLength(20);
    expect(await process().admit('one address')).toBe('full-of-one');
    expect(await process().admit('another')).toBeUndefined();
  });

  it('a request that was decided makes room for another of its address', async () => {
    const id = await ask('ann');
    for (let count = 1; count < 20; count += 1) await ask('ann');

    expect(await process().admit('ann')).toBe('full-of-one');

    await process().decide(id, { what: 'nothing', by: 'Olga' });

    expect(await process().admit('ann')).toBeUndefined();
  });
});

describe('decisions about requests', () => {
  it('only the first decision about a request counts, whoever makes others at the same time', async () => {
    const id = await ask();
    const decisions = (['removed', 'refused', 'nothing'] as const).map((what, each) =>
      process(each + 1).decide(id, { what, by: what }),
    );
    const outcomes = (await Promise.all(decisions)).map((request) => request?.decided?.what);

    expect(new Set(outcomes).size).toBe(1);

    const { open, closed } = await process().all();

    expect(open).toEqual([]);
    expect(closed.map(({ id: each }) => each)).toEqual([id]);
  });

  it('a deleted request cannot be decided, and is nowhere', async () => {
    const id = await ask();
    await process().delete(id);

    expect(await process().decide(id, { what: 'removed', by: 'Olga' })).toBeUndefined();
    expect(await process().all()).toEqual({ open: [], closed: [] });
    expect(await sent()).toEqual([]);
  });

  it('a request is kept for a year, however it is changed', async () => {
    const id = await ask();
    time += 364 * 24 * HOUR_MS;
    await process().decide(id, { what: 'nothing', by: 'Olga' });

    expect(await process().find(id)).toBeDefined();

    time += 2 * 24 * HOUR_MS;
    await process().decide(await ask(), { what: 'nothing', by: 'Olga' });
    await process().repair();

    expect((await process().all()).open).toEqual([]);
  });
});

describe('notices about requests', () => {
  it('owners are told of each request once, by whichever process', async () => {
    const ids = await Promise.all([ask('a'), ask('b'), ask('c')]);
    const taken = await Promise.all([1, 2, 3].map((seed) => process(seed).takeNotices()));
    const told = taken.flat().map((notice) => ('id' in notice ? notice.id : ''));

    expect(told.toSorted()).toEqual(ids.toSorted());
    expect(await sent()).toEqual([]);
  });

  it('owners get five notices an hour of requests of one address, and one of the rest', async () => {
    for (let count = 0; count < 12; count += 1) await ask('flood');

    expect(kinds(await sent())).toEqual(['new', 'new', 'new', 'new', 'new']);
    expect(kinds(await sent())).toEqual([]);

    await ask('somebody else');

    expect(kinds(await sent())).toEqual(['new']);

    time += 6 * MINUTE_MS;

    expect(await sent()).toEqual([{ kind: 'several', count: 7, dueInMs: 48 * HOUR_MS - 6 * MINUTE_MS }]);

    await ask('flood');
    time += 10 * MINUTE_MS;

    expect(await sent()).toEqual([]);

    time += HOUR_MS;

    expect(kinds(await sent())).toEqual(['new']);
  });

  it('owners get twenty notices an hour of all requests together, and one of the rest', async () => {
    for (let count = 0; count < 30; count += 1) await ask(`address ${count}`);

    expect(await sent()).toHaveLength(20);

    time += 6 * MINUTE_MS;

    expect(await sent()).toMatchObject([{ kind: 'several', count: 10 }]);
  });

  it('owners are reminded of an open request after 24 and 40 hours, with the time that is left', async () => {
    const id = await ask();
    await sent();
    time += 24 * HOUR_MS;

    expect(await sent()).toEqual([{ kind: 'reminder', id, dueInMs: 24 * HOUR_MS }]);
    expect(await sent()).toEqual([]);

    time += 16 * HOUR_MS;

    expect(await sent()).toEqual([{ kind: 'reminder', id, dueInMs: 8 * HOUR_MS }]);

    time += 100 * HOUR_MS;

    expect(await sent()).toEqual([]);
  });

  it('owners get one reminder of a request after a long time without any process', async () => {
    const id = await ask();
    await sent();
    time += 50 * HOUR_MS;

    expect(await sent()).toEqual([{ kind: 'reminder', id, dueInMs: -2 * HOUR_MS }]);
    expect(await sent()).toEqual([]);
  });

  it('many reminders of requests come as one', async () => {
    for (let count = 0; count < 5; count += 1) await ask(`address ${count}`);
    await sent();
    time += 25 * HOUR_MS;

    expect(await sent()).toEqual([{ kind: 'several', count: 5, dueInMs: 23 * HOUR_MS }]);
    expect(await sent()).toEqual([]);
  });

  it('reminders count like notices, so that a flood of requests makes no flood of reminders', async () => {
    for (let count = 0; count < 60; count += 1) {
      await ask(`address ${count}`);
      await sent();
      time += MINUTE_MS;
    }
    time += 22 * HOUR_MS;
    const inThatHour: RequestNotice[] = [];
    for (let minute = 0; minute < 120; minute += 1) {
      time += MINUTE_MS;
      inThatHour.push(...(await sent()));
    }
    const single = inThatHour.filter(({ kind }) => kind !== 'several');

    expect(single.length).toBeLessThanOrEqual(2 * 20);
    expect(inThatHour.length - single.length).toBeLessThanOrEqual(2);
  });

  it('owners are not reminded of a request that was decided', async () => {
    const id = await ask();
    await sent();
    await process().decide(id, { what: 'nothing', by: 'Olga' });
    time += 25 * HOUR_MS;

    expect(await sent()).toEqual([]);
  });

  it('a notice that could be sent to nobody is sent again', async () => {
    const id = await ask();
    const [first] = await process().takeNotices();
    await process().afterNotice(id, true);
    const [second] = await process().takeNotices();

    expect(second).toEqual(first);
  });

  it('notices that could be sent to nobody do not count: after an outage each comes by itself', async () => {
    const id = await ask();
    await sent();
    time += 24 * HOUR_MS;
    for (let pass = 0; pass < 30; pass += 1) {
      const [reminder] = await process().takeNotices();
      expect(reminder).toMatchObject({ kind: 'reminder', id });
      await process().afterNotice(id, true);
    }
    expect(kinds(await sent())).toEqual(['reminder']);
  });

  it('a notice whose process died meanwhile is not repeated, but its request is told of once with others', async () => {
    await ask();
    await process().takeNotices();

    expect(await sent()).toEqual([]);

    time += 6 * MINUTE_MS;

    expect(await sent()).toMatchObject([{ kind: 'several', count: 1 }]);
    expect(await sent()).toEqual([]);
  });
});

describe('what processes leave that die between two writes', () => {
  it('a request whose decision is stored is no longer listed, although its process died before it changed the list', async () => {
    const id = await ask();
    const list = await state.get('list');
    await process().decide(id, { what: 'nothing', by: 'Olga' });
    await state.set('list', list);
    await process().repair();

    expect(await sent()).toEqual([]);
    expect((await process().all()).open).toEqual([]);
  });

  it('the place of a request becomes free whose process died before it stored the request', async () => {
    const id = await ask();
    await state.delete(id);
    await process().repair();
    time += 11 * MINUTE_MS;
    await process().repair();

    expect(await state.get('list')).toMatchObject({ open: [] });
  });

  it('requests are listed again after the list was damaged', async () => {
    const id = await ask();
    await state.delete('list');
    await process().repair();

    expect((await process().all()).open.map((each) => each.id)).toEqual([id]);
    expect(kinds(await sent())).toEqual(['new']);
  });
});
