import { describe, expect, test } from 'vitest';
import { cases } from '../covered.ts';
import { adapterSuite, runCase } from '../suite.ts';
import { events } from './broken/events.ts';
import { parts } from './broken/parts.ts';
import { presses } from './broken/presses.ts';
import { replies } from './broken/replies.ts';
import { views } from './broken/views.ts';
import { smallDriver } from './driver.ts';

/** The suite is tested itself: it must let a right adapter pass, and notice every mistake. */

adapterSuite(smallDriver());

/** Enough for what happens in memory; a mistake is often that something never comes. */
const PATIENCE_MS = 300;

const broken = Object.entries({ ...replies, ...presses, ...views, ...events, ...parts });

describe.concurrent('an adapter is noticed that', () => {
  for (const [does, [fault, ...noticing]] of broken)
    for (const name of noticing)
      test(`${does}: ${name}`, async () => {
        const run = cases.get(name);
        if (run === undefined) throw new Error(`there is no case "${name}"`);
        const driver = smallDriver(typeof fault === 'function' ? fault() : fault);
        await expect(runCase(run, await driver.open(), driver, PATIENCE_MS)).rejects.toThrow();
      });
});

test('every case notices some mistake', () => {
  const noticed = new Set(broken.flatMap(([, [, ...noticing]]) => noticing));
  expect([...cases.keys()].filter((name) => !noticed.has(name))).toEqual([]);
});
