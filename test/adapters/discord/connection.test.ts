import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { createFakeDiscord, type FakeDiscord } from '../../fakes/discord/discord.ts';
import {
  openStage,
  passing,
  passingUntil,
  publicReply,
  refusal,
  stage,
  until,
  useStage,
} from '../../fakes/discord/stage.ts';
import { createRecords } from '../../fakes/records.ts';

describe('the gateway', () => {
  useStage();

  test('the gateway requests only the intents that the bot needs', () => {
    expect(stage.fake.gateway.identifies).toMatchObject([{ intents: 0, shard: 0, count: 1 }]);
    expect(stage.adapter.trouble()).toBeUndefined();
  });

  test('a lost gateway connection is resumed, and no event meanwhile is lost', async () => {
    stage.desk.replies(publicReply('Hello'));

    stage.fake.gateway.cut();
    await until(() => expect(stage.adapter.trouble()).toContain('lost'));
    const sent = stage.fake.user('ann').types('/help');

    expect((await sent.answered()).type).toBe(5);
    await until(() => expect(sent.messages()).toMatchObject([{ edits: 1 }]));
    await until(() => expect(stage.adapter.trouble()).toBeUndefined());
    expect(stage.fake.gateway.resumes).toBe(1);
  });

  test('a gateway that cannot be reached is reported and tried again', async () => {
    const told = (level: string) =>
      stage.logged.filter((line) => line.includes(level) && line.includes('no connection to Discord'));

    await stage.fake.offline();
    await until(() => expect(stage.adapter.trouble()).toContain('lost'));
    await passing(stage.clock, 1_000, () => expect(told('debug').length).toBeGreaterThan(1));
    expect(told('warn')).toEqual([expect.stringContaining('cannot be reached')]);

    await stage.fake.online();
    await passing(stage.clock, 1_000, () => expect(stage.adapter.trouble()).toBeUndefined());
    expect(stage.logged.filter((line) => line.includes('connected to Discord again'))).toHaveLength(1);

    stage.desk.replies(publicReply('Hello'));
    expect((await stage.fake.user('ann').types('/help').answered()).type).toBe(4);
  });

  test('a token that Discord refuses is reported as trouble until it is accepted again', async () => {
    stage.fake.world.tokenAccepted = false;
    stage.fake.gateway.close(4004);
    await until(() => expect(stage.adapter.trouble()).toContain('DISCORD_TOKEN'));

    stage.fake.world.tokenAccepted = true;
    await passing(stage.clock, 5_000, () => expect(stage.adapter.trouble()).toBeUndefined());

    stage.desk.replies(publicReply('Hello'));

    expect((await stage.fake.user('ann').types('/help').answered()).type).toBe(4);
  });
});

test('with few sessions left today none is started, and readiness and the owner are told', async () => {
  const clock = createFakeClock();
  const fake = await createFakeDiscord(createFakeClock());
  fake.world.sessions.remaining = 5;
  fake.world.sessions.reset_after = 3_600_000;
  const told: string[] = [];

  const opening = openStage({ fake, clock, sessionsExhausted: () => void told.push('owner') });
  // A start does not wait for the next day.
  const stage = await passingUntil(clock, 1_000, opening);
  await until(() => expect(stage.adapter.trouble()).toContain('only 5 more times today'));
  expect(fake.gateway.identifies).toEqual([]);
  expect(told).toEqual(['owner']);

  fake.world.sessions.remaining = 1000;
  await passing(clock, 600_000, () => expect(stage.adapter.trouble()).toBeUndefined());
  expect(fake.gateway.identifies).toHaveLength(1);

  await stage.stop();
});

test('a start while Discord is away does not fail, but keeps trying and reports it', async () => {
  const fake = await createFakeDiscord(createFakeClock());
  fake.fault({ path: /gateway/, kind: 'status', status: 503 });
  const stage = await openStage({ fake });

  expect(stage.adapter.trouble()).toContain('could not be reached');
  expect(fake.received.filter((each) => each.path === '/gateway/bot')).toHaveLength(1);

  fake.clearFaults();
  await passing(stage.clock, 1_000, () => expect(stage.adapter.trouble()).toBeUndefined());
  await stage.stop();
});

test('an unknown token is reported once, with instructions', async () => {
  const fake = await createFakeDiscord(createFakeClock());

  const tries = () => fake.received.filter((each) => each.path === '/gateway/bot');
  fake.world.tokenAccepted = false;

  const stage = await openStage({ fake });
  await passing(stage.clock, 60_000, () => expect(tries().length).toBeGreaterThan(2));

  const warnings = stage.logged.filter((line) => line.includes('"level":"warn"'));
  const told = warnings.filter((line) => line.includes('DISCORD_TOKEN'));
  expect(told).toHaveLength(1);
  expect(told[0]).toContain('developer portal');

  await stage.stop();
});

describe('registration', () => {
  let fake: FakeDiscord;

  beforeEach(async () => {
    fake = await createFakeDiscord(createFakeClock());
  });

  afterEach(() => fake.stop());

  test('registration of commands is one request, repeated only when the declarations changed', async () => {
    const state = createRecords();
    /** Starts a process with these commands, until Discord has had so many registrations in all. */
    const startWith = async (declared: typeof commands, registrations: number): Promise<void> => {
      const stage = await openStage({ fake, state, commands: declared });
      await until(async () => {
        expect(await state.get(`commands:${fake.world.application}`)).toBeDefined();
        expect(fake.world.registrations).toBe(registrations);
      });
      await stage.adapter.stop();
      expect(fake.world.registrations).toBe(registrations);
    };

    await startWith(commands, 1);
    await startWith(commands, 1);
    await startWith(commands.slice(1), 2);

    expect(fake.world.commands.length).toBeGreaterThanOrEqual(commands.length - 1);
    expect(fake.world.complaints).toEqual([]);
  });

  test('a registration of commands that fails delays nothing and is retried later', async () => {
    fake.fault({ method: 'PUT', path: /commands/, times: 1, ...refusal(400, 50035, 'Invalid') });
    const stage = await openStage({ fake, commands });
    expect(stage.adapter.trouble()).toBeUndefined();

    await until(() => expect(stage.logged.join()).toContain('could not be registered'));
    await passing(stage.clock, 60_000, () => expect(fake.world.registrations).toBe(1));
    await stage.adapter.stop();
  });
});
