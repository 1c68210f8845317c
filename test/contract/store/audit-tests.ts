import { afterEach, beforeEach, expect, it } from 'vitest';
import { allOf } from '../../all-of.ts';
import { keyOf } from '../../unit/store/sqlite/open-store.ts';
import type { Driver, Place } from './driver.ts';

const line = (at: number, community = 'web:room', actor = 'web:ann', action = 'job.accepted') => ({
  at,
  community,
  actor,
  action,
  detail: { n: at },
});

export function auditTests(driver: Driver): void {
  let place: Place;
  beforeEach(async () => {
    place = await driver.create();
  });
  afterEach(() => place.remove());

  it('shows the latest of a community, newest first', async () => {
    const { audit } = await place.open([keyOf(1)]);
    for (const at of [1, 2, 3]) await audit.append(line(at));
    await audit.append(line(4, 'web:other'));
    expect(await audit.recent('web:room', 2)).toEqual([line(3), line(2)]);
  });

  it('exports everything since a time, however much, a community’s own or all', async () => {
    const { audit } = await place.open();
    for (let at = 1; at <= 450; at += 1)
      await audit.append(line(at, at % 2 === 0 ? 'web:room' : 'web:other'));
    expect((await allOf(audit.since(401))).map(({ at }) => at)).toEqual(
      Array.from({ length: 50 }, (_, i) => 401 + i),
    );
    expect(await allOf(audit.since(1, 'web:room'))).toHaveLength(225);
  });

  it('erases the lines of a person’s jobs, not of what they did as a moderator', async () => {
    const { audit, erasures } = await place.open([keyOf(1)]);
    await audit.append(line(1));
    await audit.append(line(2, 'web:room', 'web:ann', 'settings.block'));
    await audit.append(line(3, 'web:room', 'web:ben'));
    await erasures.more(await erasures.begin('web:ann'), 10);
    expect((await audit.recent('web:room', 9)).map(({ at }) => at)).toEqual([3, 2]);
  });

  it('is append-only for ninety days, enforced by the tables', async () => {
    const { audit } = await place.open();
    const days = (count: number): number => Date.now() - count * 86_400_000;
    await audit.append(line(days(91), 'web:room', 'web:mod', 'settings.block'));
    await audit.append(line(days(89), 'web:room', 'web:mod', 'settings.block'));
    await audit.append(line(days(1)));
    await expect(place.sql("UPDATE audit SET action = 'settings.unblock'")).rejects.toThrow(
      /does not change/,
    );
    await expect(place.sql('UPDATE audit SET at = 0')).rejects.toThrow(/does not change/);
    await expect(place.sql("DELETE FROM audit WHERE action = 'settings.block'")).rejects.toThrow(
      /ninety days/,
    );
    expect(await place.sql('SELECT seq FROM audit')).toHaveLength(3);
    const store = await place.open();
    place.time.now = Date.now();
    await store.sweep();
    expect(await store.audit.recent('web:room', 9)).toHaveLength(2);
    // A person's own jobs go at their wish.
    await store.erasures.more(await store.erasures.begin('web:ann'), 10);
    expect(await store.audit.recent('web:room', 9)).toHaveLength(1);
  });

  it('uses the earlier of both clocks after the clock was set back', async () => {
    const store = await place.open();
    const HOUR = 3_600_000;
    place.time.now = Date.now() + HOUR;
    const old = place.time.now - 90 * 24 * HOUR;
    await store.audit.append(line(old - HOUR / 2, 'web:room', 'web:mod', 'settings.block'));
    await store.audit.append(line(old - 2 * HOUR, 'web:room', 'web:mod', 'settings.block'));
    expect(await store.sweep()).toBe(false);
    expect(await store.audit.recent('web:room', 9)).toHaveLength(1);
  });
}
