import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allOf } from '../../../../all-of.ts';
import { createStoreFile, keyOf } from '../open-store.ts';

let file: ReturnType<typeof createStoreFile>;
beforeEach(() => {
  file = createStoreFile();
});
afterEach(() => file.remove());

const line = (at: number, community = 'web:room', actor = 'web:ann', action = 'job.accepted') => ({
  at,
  community,
  actor,
  action,
  detail: { n: at },
});

it('shows the latest of a community, newest first', async () => {
  const { audit } = file.open([keyOf(1)]);
  for (const at of [1, 2, 3]) await audit.append(line(at));
  await audit.append(line(4, 'web:other'));
  expect(await audit.recent('web:room', 2)).toEqual([line(3), line(2)]);
});

it('exports everything since a time, however much, a community’s own or all', async () => {
  const { audit } = file.open();
  for (let at = 1; at <= 450; at += 1) await audit.append(line(at, at % 2 === 0 ? 'web:room' : 'web:other'));
  expect((await allOf(audit.since(401))).map(({ at }) => at)).toEqual(
    Array.from({ length: 50 }, (_, i) => 401 + i),
  );
  expect(await allOf(audit.since(1, 'web:room'))).toHaveLength(225);
});

it('erases the lines of a person’s jobs, not of what they did as a moderator', async () => {
  const { audit, erasures } = file.open([keyOf(1)]);
  await audit.append(line(1));
  await audit.append(line(2, 'web:room', 'web:ann', 'settings.block'));
  await audit.append(line(3, 'web:room', 'web:ben'));
  await erasures.more(await erasures.begin('web:ann'), 10);
  expect((await audit.recent('web:room', 9)).map(({ at }) => at)).toEqual([3, 2]);
});

it('is append-only for ninety days, enforced by the file', async () => {
  const { audit } = file.open();
  const days = (count: number): number => Date.now() - count * 86_400_000;
  await audit.append(line(days(91), 'web:room', 'web:mod', 'settings.block'));
  await audit.append(line(days(89), 'web:room', 'web:mod', 'settings.block'));
  await audit.append(line(days(1)));
  file.close();
  const raw = new DatabaseSync(file.path);
  expect(() => raw.exec("UPDATE audit SET action = 'settings.unblock'")).toThrow(/does not change/);
  expect(() => raw.exec('UPDATE audit SET at = 0')).toThrow(/does not change/);
  expect(() => raw.exec("DELETE FROM audit WHERE action = 'settings.block'")).toThrow(/ninety days/);
  expect(raw.prepare('SELECT count(*) AS n FROM audit').get()?.n).toBe(3);
  raw.close();
  const store = file.open();
  file.time.now = Date.now();
  await store.sweep();
  expect(await store.audit.recent('web:room', 9)).toHaveLength(2);
  // A person's own jobs go at their wish.
  await store.erasures.more(await store.erasures.begin('web:ann'), 10);
  expect(await store.audit.recent('web:room', 9)).toHaveLength(1);
});

it('uses the earlier of both clocks after the clock was set back', async () => {
  const store = file.open();
  const HOUR = 3_600_000;
  file.time.now = Date.now() + HOUR;
  const old = file.time.now - 90 * 24 * HOUR;
  await store.audit.append(line(old - HOUR / 2, 'web:room', 'web:mod', 'settings.block'));
  await store.audit.append(line(old - 2 * HOUR, 'web:room', 'web:mod', 'settings.block'));
  expect(await store.sweep()).toBe(false);
  expect(await store.audit.recent('web:room', 9)).toHaveLength(1);
});
