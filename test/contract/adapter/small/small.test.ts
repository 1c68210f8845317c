import { describe, expect, test } from 'vitest';
import { commonTitle } from '../contents.ts';
import { cases } from '../covered.ts';
import { adapterSuite, runCase } from '../suite.ts';
import { broken } from './broken.ts';
import { smallDriver } from './driver.ts';

/** The suite is tested itself: it must let a right adapter pass, and notice every mistake. */

adapterSuite(smallDriver());

/** Enough for what happens in memory; a mistake is often that something never comes. */
const PATIENCE_MS = 300;

/** The last one of the cases that differ in their content alone. */
const byTitle = new Map([...cases].map(([name, run]) => [commonTitle(name), run]));

describe.concurrent('a mistake is noticed:', () => {
  test.each([...byTitle])('%s', async (title, run) => {
    const mistakes = [broken[title] ?? []].flat();
    expect(mistakes, `mistakes in broken.ts that this case notices`).not.toEqual([]);
    for (const mistake of mistakes) {
      const driver = smallDriver(typeof mistake === 'function' ? mistake() : mistake);
      await expect(runCase(run, driver, PATIENCE_MS)).rejects.toThrow();
    }
  });

  test('every broken adapter belongs to a case that there is', () =>
    expect(Object.keys(broken).filter((title) => !byTitle.has(title))).toEqual([]));
});
