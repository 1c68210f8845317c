// @module-tag slow
// @module-tag longest
/**
 * Power cuts, not only kills: what was not yet synced is lost. The programs of the kill suite run on a disk (power-cut/)
 * that forgets it. A longer run: POWER_CUTS=500 npx vitest run --project slow test/e2e/faults/power-cut.test.ts
 */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isFinal } from '../../../src/orchestrator/job/job.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { type Chance, createChance, tell } from './kill/chance.ts';
import { killKey, people } from './kill/chat.ts';
import { createSeries, type Series } from './kill/cycle.ts';
import { kinds } from './kill/kinds.ts';
import { canCutPower, createDisk } from './power-cut/disk.ts';
import type { Cut } from './power-cut/image.ts';

const cuts = Number(process.env.POWER_CUTS ?? 30);

type PowerCuts = Awaited<ReturnType<typeof createPowerCuts>>;

/** The time that a sync takes, as on a real disk: a program that does not wait for its syncs is found out. */
const SYNC_MICROSECONDS = 3_000;

interface PowerCutOptions {
  readonly how?: () => Cut;
  readonly change?: (code: string) => string;
}

async function createPowerCuts(chance: Chance, { how, ...more }: PowerCutOptions = {}) {
  const anyhow = (): Cut => (chance.next() < 0.5 ? 'strict' : 'torn');
  const counts = { cuts: 0, 'bytes lost': 0 };
  const series = await createSeries(chance, {
    ...more,
    disk(folder) {
      const disk = createDisk(join(folder, 'data'), folder, SYNC_MICROSECONDS);
      return {
        ...disk,
        ended() {
          counts.cuts += 1;
          counts['bytes lost'] += disk.cut((how ?? anyhow)(), chance);
        },
      };
    },
  });
  return { series, counts };
}

/** Sends no more jobs than the program can end before the next cut; otherwise it would only ever begin jobs. */
const sendSome = (series: Series, chance: Chance): void => {
  for (let i = 0; i < 3; i += 1) {
    const kind = kinds[Math.floor(chance.between(0, kinds.length))];
    if (kind !== undefined) series.send(kind);
  }
};

async function cutAtAnyMoment({ series }: PowerCuts, chance: Chance, times: number): Promise<void> {
  for (let cycle = 0; cycle < times; cycle += 1) {
    sendSome(series, chance);
    const calls = Math.max(0, Math.round(chance.between(-4, 80)));
    await series.run({ moment: { calls, ms: chance.between(0, calls === 0 ? 200 : 10) } });
  }
}

const cutting = (name: string, work: () => Promise<void>) => it.skipIf(!canCutPower)(name, work, 3_600_000);

cutting('nothing that was visible is lost when the power is cut', async () => {
  const chance = createChance('power cuts');
  const power = await createPowerCuts(chance);

  await cutAtAnyMoment(power, chance, cuts);
  const { counts } = await power.series.conclude();

  // The last cut came after its end: that was on the disk as well.
  const after = await openSqliteStore({ path: power.series.file, keys: [killKey] });
  const all = await Promise.all(people.map((person) => after.jobs.ofPerson(`web:${person}`, 100_000)));
  after.close();

  expect(all.flat().filter(({ state, settled }) => isFinal(state) && settled)).toHaveLength(counts.jobs ?? 0);

  tell({ ...power.counts, ...counts });
  await power.series.close();
});

cutting('nothing is lost when the power is cut at a named point', async () => {
  const chance = createChance('power cuts at points');
  const power = await createPowerCuts(chance);
  const { series } = power;
  for (const kind of kinds) series.send(kind);
  await series.run({ moment: { calls: 40, ms: 0 } });

  for (const point of points) {
    sendSome(series, chance);
    await series.run({ kill: { point, pass: Math.ceil(chance.between(0, 3)) } });
  }

  // The series checks here that every job has one end, at most one run call and the right credits.
  const { counts } = await series.conclude();
  tell({ ...power.counts, points: points.length, ...counts });
  await series.close();
});

/** The points at which something has just been said or written. */
const points = [
  'after writing a new job',
  'after showing the card',
  'after its mark',
  'before the run call',
  'after the run call',
  'after a poll',
  'after drawing done',
  'after drawing failed',
  'after writing running to delivering',
  'after writing delivering to done',
];

cutting('a program that does not wait for the disk loses records, so the tests above can fail', async () => {
  const chance = createChance('power cuts without syncs');
  const sync = 'promisify(fdatasync)';
  const { series } = await createPowerCuts(chance, {
    how: () => 'strict',
    change(code) {
      expect(code.split(sync)).toHaveLength(2);
      return code.replace(sync, 'async () => undefined');
    },
  });
  const cutAndCheck = async (): Promise<void> => {
    for (let cycle = 0; cycle < 3; cycle += 1) {
      for (let i = 0; i < 5; i += 1) series.send({ prompt: 'a portrait' });
      // When the fifth is drawn as done, all five have been shown, submitted and delivered.
      const end = await series.run({ kill: { point: 'after drawing done', pass: 5 } });
      expect(end).toBe('died at its point');
    }
    await series.conclude();
  };

  await expect(cutAndCheck()).rejects.toThrow(/to have a length of 15|run calls for/);

  await series.close();
});
