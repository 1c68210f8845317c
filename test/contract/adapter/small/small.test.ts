import { describe, expect, test } from 'vitest';
import { cases } from '../covered.ts';
import { adapterSuite, runCase } from '../suite.ts';
import { broken } from './broken/broken.ts';
import { smallDriver } from './driver.ts';

/** The suite is tested itself: it must let a right adapter pass, and notice every mistake. */

adapterSuite(smallDriver());

/** Enough for what happens in memory; a mistake is often that something never comes. */
const PATIENCE_MS = 300;

describe.concurrent('an adapter is noticed that', () => {
  for (const { does, caughtBy, fault } of broken)
    for (const name of caughtBy)
      test(`${does}: ${name}`, async () => {
        const run = cases.get(name);
        if (run === undefined) throw new Error(`there is no case "${name}"`);
        const driver = smallDriver(fault());
        await expect(runCase(run, await driver.open(), driver, PATIENCE_MS)).rejects.toThrow();
      });
});

test('every case notices some mistake', () => {
  const noticing = new Set(broken.flatMap(({ caughtBy }) => caughtBy));
  expect([...cases.keys()].filter((name) => !noticing.has(name))).toEqual([]);
});
