// @module-tag slow
/** Both platforms, the service and the program fail at random; every job must still end correctly. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { eventually } from '../../eventually.ts';
import { type Stage, stage, useStage } from '../stage/stage.ts';
import { type Chance, createChance } from './kill/chance.ts';
import { checkOutcome, unfinishedWork } from './soak/check-outcome.ts';
import { createPeople } from './soak/people.ts';
import { createFaultyService } from './soak/service.ts';

/** Another seed and more steps: SOAK_SEED=7 SOAK_STEPS=2000 npx vitest run test/e2e/faults/soak.test.ts */
const seed = Number(process.env.SOAK_SEED ?? 4);
const steps = Number(process.env.SOAK_STEPS ?? 160);
const restarts = 4;

type TelegramFault = Pick<Parameters<Stage['telegram']['fault']>[0], 'kind' | 'retryAfter'>;
type DiscordFault = Pick<Parameters<Stage['discord']['fault']>[0], 'kind' | 'status'>;

/** One call to a platform goes wrong, before it takes effect or after. */
const disturb = ({ telegram, discord }: Stage, chance: Chance): void => {
  if (chance.next() < 0.5)
    telegram.fault({
      method: chance.pick(['sendMessage', 'editMessageText', 'editMessageMedia', 'getFile']),
      ...chance.pick<TelegramFault>([
        { kind: 'reset' },
        { kind: 'lost' },
        { kind: 502 },
        { kind: 429, retryAfter: 1 },
      ]),
    });
  else
    discord.fault({
      path: chance.pick([/callback$/, /^\/webhooks\//, /^\/channels\//]),
      ...chance.pick<DiscordFault>([{ kind: 'reset' }, { kind: 'close' }, { kind: 'status', status: 502 }]),
      after: chance.next() < 0.5,
      times: 1,
    });
};

const chance = createChance('soak', seed);
const service = await createFaultyService(chance, 3 * steps);
useStage({ ...service.script, env: { USER_WAITING_JOBS: '20' } });

it('no job, card or credit is lost when platforms, service and program fail at random', async () => {
  const people = createPeople(stage, chance);

  for (let step = 1; step <= steps; step += 1) {
    people.act();
    if (chance.next() < 0.2) disturb(stage, chance);
    await pause(chance.between(0, 60));
    if (step % Math.floor(steps / restarts) === 0) await stage.restart(chance.pick(['kill', 'kill', 'stop']));
  }
  service.stopFaults();
  stage.discord.clearFaults();
  stage.telegram.clearFaults();
  // Unconfirmed cards are searched for at once after a start.
  await stage.restart('kill');
  const store = await openSqliteStore({ path: join(stage.folder, 'data/darkroom.sqlite'), keys: [] });
  let left: readonly string[] = [];
  await eventually(
    async () => {
      left = await unfinishedWork(stage, people, store);
      return left.length === 0;
    },
    'an end of everything',
    () => `; left at ${Date.now()}:\n${left.join('\n')}`,
    // A card that may be on its way is looked for after a minute.
    120_000,
  );
  const counts = await checkOutcome(stage, people, store, service.made);
  store.close();
  console.log(`SOAK_SEED=${seed}: ${JSON.stringify(counts)}`);

  expect(counts.done).toBeGreaterThan(0);
});
