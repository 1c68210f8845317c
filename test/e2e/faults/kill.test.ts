import { expect, it } from 'vitest';
import { type Chance, createChance, tell } from './kill/chance.ts';
import { createSeries, type Series } from './kill/cycle.ts';
import { kinds } from './kill/kinds.ts';

/** More for a longer night: KILL_CYCLES=500 npx vitest run test/e2e/faults/kill.test.ts */
const cycles = Number(process.env.KILL_CYCLES ?? 120);

const sendAll = (series: Series): void => {
  for (const kind of kinds) series.send(...kind);
};

/** About as many as the program gets done before it is killed again: some are always under way. */
const sendSome = (series: Series, chance: Chance): void => {
  for (let i = 0; i < 4; i += 1) {
    const kind = kinds[Math.floor(chance.between(0, kinds.length))];
    if (kind !== undefined) series.send(...kind);
  }
};

it('after a kill at every named point: one end per card, nothing submitted twice, credits correct', async () => {
  const chance = createChance('points');
  const rehearsal = await createSeries(chance);
  sendAll(rehearsal);
  const { points } = await rehearsal.conclude();
  await rehearsal.close();
  expect(points).toEqual(expect.arrayContaining(['before the run call', 'after drawing done']));

  const series = await createSeries(chance);
  let kills = 0;
  const missed: string[] = [];
  for (const point of points) {
    let met = false;
    // Some points are a matter of luck, such as a press that comes at the same moment as an answer.
    for (let tries = 0; tries < 3 && !met; tries += 1) {
      sendAll(series);
      kills += 1;
      met = (await series.run({ kill: { point, pass: 1 } })) === 'died at its point';
    }
    if (!met) missed.push(point);
  }
  tell({ kills, points: points.length, ...(await series.conclude()).counts });
  expect(missed.length, missed.join(', ')).toBeLessThan(points.length / 10);
  await series.close();
}, 600_000);

it('after kills at any moment', async () => {
  const chance = createChance('moments');
  const series = await createSeries(chance);
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    sendSome(series, chance);
    // No calls at all: it dies in the middle of its start.
    const calls = Math.max(0, Math.round(chance.between(-10, 60)));
    await series.run({ moment: { calls, ms: chance.between(0, calls === 0 ? 200 : 10) } });
  }
  tell({ kills: cycles, ...(await series.conclude()).counts });
  await series.close();
}, 3_600_000);
