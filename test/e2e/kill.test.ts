import { expect, it } from 'vitest';
import { createSeries, type Series } from './kill/cycle.ts';

/** More for a longer night: KILL_CYCLES=500 npx vitest run test/e2e/kill.test.ts */
const cycles = Number(process.env.KILL_CYCLES ?? 24);

function sendSome(series: Series): void {
  series.send('a portrait');
  series.send('a landscape');
  series.send('refused by the service');
  series.send('failing at the service');
  series.send('cancelled early', { cancelAfterMs: 0 });
  series.send('cancelled later', { cancelAfterMs: 15 });
}

it('survives a kill at every named point: one end on each card, nothing asked for twice, every credit told', async () => {
  const rehearsal = await createSeries();
  sendSome(rehearsal);
  const { points } = await rehearsal.conclude();
  await rehearsal.close();
  expect(points).toEqual(expect.arrayContaining(['before the run call', 'after drawing done']));

  const series = await createSeries();
  for (const point of points) {
    sendSome(series);
    // A point that is a matter of luck may not be met again: then any other moment will do.
    expect(await series.run({ kill: { point, pass: 1 }, killAfterMs: 4_000 }), point).toBe('killed');
  }
  await series.conclude();
  await series.close();
}, 600_000);

it('survives kills at any moment', async () => {
  const series = await createSeries();
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    sendSome(series);
    await series.run({ killAfterMs: 200 + Math.random() * 400 });
  }
  await series.conclude();
  await series.close();
}, 3_600_000);
