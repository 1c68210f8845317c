/**
 * What the check of a photo costs the first answer on Telegram, in a private chat: `/faceswap` with a photo of one person until the card is
 * there, with `FACE_CHECK=on` and `off`, alternating, in one fake of Telegram each. Then one person sends photos in many groups
 * at once, and calm people one each: their time beside the one that they need alone. Arguments: rounds (20), photos (100).
 */
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { createStage, type Stage } from '../e2e/stage/stage.ts';

const rounds = Number(process.argv[2] ?? 20);
const photos = Number(process.argv[3] ?? 100);
const photo = readFileSync(new URL('../../src/generation-service/samples/portrait.jpg', import.meta.url));
const LINE = '/faceswap 12 female';
/** The program takes no more of one person at once. */
const AT_ONCE = 10;

const open = (faceCheck: 'on' | 'off'): Promise<Stage> =>
  createStage({
    env: { FACE_CHECK: faceCheck, USER_WAITING_JOBS: '1000', USER_CONCURRENT_JOBS: '1000' },
  });

let people = 0;

const answerMs = async ({ telegram }: Stage): Promise<number> => {
  people += 1;
  const person = telegram.person(`Person ${people}`);
  const began = performance.now();
  person.types(person.chat, LINE, { photo });
  while (telegram.fromBot(person.chat).length === 0) await pause(1);
  return performance.now() - began;
};

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ??
  Number.NaN;

const tell = (what: string, values: readonly number[]): void =>
  console.log(
    `${what.padEnd(34)} n=${values.length} p50=${quantile(values, 0.5).toFixed(0)} p95=${quantile(values, 0.95).toFixed(0)} ms`,
  );

const ratio = (one: readonly number[], other: readonly number[], share: number): string =>
  (quantile(one, share) / quantile(other, share)).toFixed(2);

const stages = { on: await open('on'), off: await open('off') };
const times = { on: [] as number[], off: [] as number[] };
for (const stage of Object.values(stages)) await answerMs(stage);
// The first one may have been answered while the finder was starting.
await pause(5_000);

for (let round = 0; round < rounds; round += 1)
  for (const which of ['on', 'off'] as const) times[which].push(await answerMs(stages[which]));

tell('with a check', times.on);
tell('without', times.off);
console.log(`ratio p50=${ratio(times.on, times.off, 0.5)} p95=${ratio(times.on, times.off, 0.95)}`);

/** The program checks as many photos of one person at once as it takes, again and again. */
const crowded = async (stage: Stage): Promise<readonly number[]> => {
  const { telegram } = stage;
  const busy = telegram.person('A person with many photos');
  const calm: number[] = [];
  for (let sent = 0; sent < photos; ) {
    for (const group of Array.from({ length: AT_ONCE }, () =>
      telegram.group('A group', { botHearsAll: true }),
    )) {
      busy.types(group, LINE, { photo });
      sent += 1;
    }
    calm.push(await answerMs(stage));
  }
  return calm;
};

for (const which of ['on', 'off'] as const) {
  const calm = await crowded(stages[which]);
  tell(`calm beside ${photos} photos, ${which}`, calm);
  console.log(`ratio to alone p50=${ratio(calm, times[which], 0.5)} p95=${ratio(calm, times[which], 0.95)}`);
}

console.log(`load ${loadavg()[0]?.toFixed(1)}`);
for (const stage of Object.values(stages)) await stage.close();
