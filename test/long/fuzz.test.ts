// @module-tag longest
/** Hostile people, photos, services and visitors, each while calm people ask for ordinary things and get them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChance } from '../e2e/faults/kill/chance.ts';
import type { Person } from '../e2e/stage/chat.ts';
import { photo } from '../e2e/stage/lines.ts';
import { made } from '../e2e/stage/pictures.ts';
import { createStage, type Stage } from '../e2e/stage/stage.ts';
import { type Calm, createCalm, type Delays, describeDelays, joined } from './fuzz/calm.ts';
import { createHostileHttp } from './fuzz/http.ts';
import { hostileLine, hostilePress, hostileValue } from './fuzz/lines.ts';
import { hostilePictures } from './fuzz/pictures.ts';
import { createHostileFront, hostileKinds } from './fuzz/service.ts';

/** Others, and more: FUZZ_SEED=7 FUZZ_ROUNDS=50 npm run test:long */
const seed = Number(process.env.FUZZ_SEED ?? 1);
const rounds = Number(process.env.FUZZ_ROUNDS ?? 2);
const perRound = 40;
/** Four commands and one job on each of two platforms. */
const inputsOfRound = 10;

const front = await createHostileFront((count) => hostilePictures[count % hostilePictures.length] ?? made);
let stage: Stage;
let calm: Calm;

beforeAll(async () => {
  stage = await createStage({
    env: {
      GENERATION_URL: front.url,
      PLAYGROUND: 'on',
      PLAYGROUND_PASSWORD: 'password-of-the-test',
      USER_JOBS_PER_MINUTE: '60',
      // Jobs that never end keep their places at the service: there are enough for all of them.
      SERVICE_CONCURRENT_JOBS: '1000',
    },
  });
  front.forwardTo(stage.recorder.url);
  calm = createCalm(stage);
  // Whoever is first pays for what is compiled and fetched only once.
  await calm.round(true);
});

afterAll(() => stage.close().finally(() => front.close()));

/** Two on each platform, in rooms of their own. */
const hostilePeople = (): readonly [Person, ...Person[]] => {
  const people = [stage.platforms.discord, stage.platforms.telegram].flatMap((platform) => {
    const room = platform.room();
    const administrator = room.person('Hostile administrator');
    administrator.moderates(true);
    return [administrator, room.person('Hostile member')];
  });
  const [first, ...others] = people;
  if (first === undefined) throw new Error('nobody');
  return [first, ...others];
};

/** CPU time of the program itself, without that of its decoders. */
const cpuMs = async (): Promise<number> => {
  const metrics = await (await fetch(`${stage.program().url}/metrics`)).text();
  return 1_000 * Number(/^process_cpu_seconds_total (\S+)/m.exec(metrics)?.[1]);
};

/** Does `attack` again and again, while the calm people have their rounds; prints what they waited. */
const spend = async (name: string, attack: (count: number) => void, withJobs = true): Promise<number> => {
  const all: Delays[] = [];
  let attacks = 0;
  const before = await cpuMs();
  for (let round = 0; round < rounds; round += 1) {
    for (let count = 0; count < perRound; count += 1) attack(attacks++);
    all.push(await calm.round(withJobs));
  }
  const used = (await cpuMs()) - before;
  const delays = joined(all);
  console.log(
    `FUZZ_SEED=${seed}, ${attacks} ${name}: ${describeDelays(delays)}, ${used.toFixed(0)} ms of CPU`,
  );
  expect(delays.jobs).toHaveLength(withJobs ? 2 * rounds : 0);
  return used;
};

const under = async (...attack: Parameters<typeof spend>): Promise<void> => {
  const used = await spend(...attack);
  expect(used / (rounds * (perRound + inputsOfRound)) / calmCpuMs, 'times a calm one').toBeLessThan(
    mostTimesCalm,
  );
};

/** The cost of one command or job of a calm person. Nothing hostile may cost more than ten of them. */
let calmCpuMs = 0;
const mostTimesCalm = 10;

it('people are answered without hostile input (the baseline)', async () => {
  calmCpuMs = (await spend('of nothing', () => undefined)) / (rounds * inputsOfRound);
});

it('people are answered beside hostile lines', async () => {
  const chance = createChance('lines', seed);
  const people = hostilePeople();

  await under('hostile lines', () => {
    const who = chance.pick(people);
    const [command = 'help', ...rest] = hostileLine(chance).slice(1).split(' ');
    if (who.key.startsWith('telegram')) who.types({ command: `${command} ${rest.join(' ')}` });
    else who.types({ command: 'faceswap', given: { prompt: hostileValue(chance) }, photos: { photo } });
  });
});

it('people are answered beside expensive blocked words, and invented button presses', async () => {
  const chance = createChance('words', seed);
  const people = hostilePeople();

  await under('hostile words and presses', (count) => {
    const who = chance.pick(people);
    if (count < 30)
      people[count % 2 === 0 ? 0 : 2]?.types({
        command: 'settings banword',
        given: { word: `${'ﬀ'.repeat(1 + count / 2)}${count % 2 === 0 ? '' : 'f'}` },
      });
    else if (count % 2 === 0)
      who.types({ command: 'faceswap', given: { prompt: 'ﬀ'.repeat(3_900) }, photos: { photo } });
    else {
      const seen = who.seenByAll().at(-1);
      if (seen !== undefined) who.forges(seen, hostilePress(chance));
    }
  });
});

it('people are answered beside expensive photos', async () => {
  const chance = createChance('pictures', seed);
  const people = hostilePeople();

  await under('hostile photos', () =>
    chance.pick(people).types({
      command: 'faceswap',
      given: { prompt: 'a portrait' },
      photos: { photo: chance.pick(hostilePictures) },
    }),
  );
});

it('people are answered beside web requests that no browser sends', async () => {
  const http = createHostileHttp(stage.program().url, createChance('http', seed));

  await under('hostile requests', () => http.send());
  const health = await fetch(`${stage.program().url}/healthz`);

  expect(health.status).toBe(200);

  http.close();
});

it.each(hostileKinds)('people are answered beside a service whose answers are hostile: %s', async (kind) => {
  const people = hostilePeople();
  const isVideo = ['inside', 'crawling', 'circle'].includes(kind);
  // A service that asks everybody to wait, or answers runs with nonsense, is given time: nobody's jobs are sent to it.
  const withJobs = kind !== 'wait' && kind !== 'path';
  let count = 0;

  await under(
    `jobs with hostile answers (${kind})`,
    () => {
      count += 1;
      people[count % people.length]?.types({
        command: isVideo ? 'animate' : 'faceswap',
        given: { prompt: `hostile ${kind} ${count}` },
        photos: { photo },
      });
    },
    withJobs,
  );
});
