// @module-tag slow
// @module-tag longest
import { expect, it } from 'vitest';
import { createChance, tell } from './kill/chance.ts';
import { createSeries, type Series } from './kill/cycle.ts';
import { kinds } from './kill/kinds.ts';

const sendAll = (series: Series): void => {
  for (const kind of kinds) series.send(kind);
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
