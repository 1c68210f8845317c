import { expect, it } from 'vitest';
import type { LineFilter } from '../../../../src/store/tables/audit.ts';
import { allOf } from '../../../all-of.ts';
import type { Driver } from './driver.ts';
import { PLAIN_AND_ENCRYPTED, placeForEach } from './set-up.ts';

const line = (at: number, community = 'web:room', actor = 'web:ann', action = 'job.accepted') => ({
  ...{ at, community, actor, action, detail: { n: at } },
});

export function auditTests(driver: Driver): void {
  const place = placeForEach(driver);

  it.each(PLAIN_AND_ENCRYPTED)(
    'shows the latest of one person, or of actions that begin so (%s)',
    async (_, keys) => {
      const { audit, erasures } = await place.open(keys);
      const actions = ['job', 'settings.block', 'job.report', 'alias.create', 'campaign.begun', 'job'];
      for (const [index, action] of actions.entries())
        for (const actor of ['web:ann', 'web:ben'])
          await audit.append(line(index, 'web:room', actor, action));
      await audit.append(line(9, 'web:other', 'web:ann', 'settings.block'));
      expect(await audit.recent('web:room', 1)).toEqual([line(5, 'web:room', 'web:ben', 'job')]);
      const found = async (only: LineFilter, limit = 99) =>
        (await audit.recent('web:room', limit, only)).map(({ at, actor }) => `${at} ${actor.slice(4)}`);
      expect(await found({ actor: 'web:ann' }, 2)).toEqual(['5 ann', '4 ann']);
      expect(await found({ actions: ['alias.', 'campaign.'] })).toEqual(['4 ben', '4 ann', '3 ben', '3 ann']);
      expect(await found({ actions: ['job'] }, 3)).toEqual(['5 ben', '5 ann', '2 ben']);
      expect(await found({ actions: ['job.report'] })).toEqual(['2 ben', '2 ann']);
      expect(await found({ actor: 'web:ben', actions: ['job'] })).toEqual(['5 ben', '2 ben', '0 ben']);
      expect(await found({ actor: 'web:eve' })).toEqual([]);
      expect(await found({ actions: [`%`, `' OR 1=1 --`] })).toEqual([]);
      // Nobody sees what a person has asked to delete, before it is deleted either.
      await erasures.begin('web:ann');
      expect(await found({ actor: 'web:ann' })).toEqual(['4 ann', '3 ann', '1 ann']);
      expect(await found({ actions: ['job.report'] })).toEqual(['2 ben']);
    },
  );

  it('finds what moderators did behind however many accepted jobs', async () => {
    const { audit } = await place.open();
    await audit.append(line(1, 'web:room', 'web:mod', 'settings.pause'));
    await audit.append(line(2, 'web:room', 'web:ann', 'job'));
    await place.sql(`
      INSERT INTO audit (seq, at, community, actor, action, detail)
      SELECT a.seq + n, a.at, a.community, a.actor, a.action, a.detail FROM audit a,
        (WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 6000) SELECT n FROM c) numbers
      WHERE a.action = 'job'
    `);
    const found = await audit.recent('web:room', 9, { actions: ['settings.'] });
    expect(found.map(({ action }) => action)).toEqual(['settings.pause']);
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
