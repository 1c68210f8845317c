import { CloseCodes, type SessionInfo, WebSocketManager } from '@discordjs/ws';
import { REST } from 'discord.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock } from '../../../fakes/clock.ts';
import { createFakeDiscord, type FakeDiscord } from '../../../fakes/discord/discord.ts';
import { openStage, publicReply, shown, until } from '../../../fakes/discord/stage.ts';
import { createRecords } from '../../../fakes/records.ts';

let fake: FakeDiscord;

beforeEach(async () => {
  fake = await createFakeDiscord(createFakeClock());
});

afterEach(() => fake.stop());

test('a session is resumed on a day on which no identify is left', async () => {
  const state = createRecords();
  const first = await openStage({ fake, state });

  await first.adapter.stop();
  fake.world.sessions.remaining = 0;
  const second = await openStage({ fake, state });
  second.desk.replies(publicReply('Hello'));

  expect((await shown(fake.user('ann').types('/help'))).content).toContain('Hello');
  expect(second.adapter.trouble()).toBeUndefined();
  expect(fake.gateway.resumes).toBe(1);
  expect(fake.gateway.identifies).toHaveLength(1);

  await second.adapter.stop();
});

test("the library's manager resumes a session only while an identify is left, so each shard is connected without it", async () => {
  let session: SessionInfo | null = null;
  const connect = async (): Promise<WebSocketManager> => {
    const manager = new WebSocketManager({
      token: fake.token,
      intents: 0,
      rest: new REST({ api: fake.api }).setToken(fake.token),
      retrieveSessionInfo: () => session,
      updateSessionInfo: (_shard, info) => {
        // The library gives up the session of a manager that is destroyed.
        session = info ?? session;
      },
    });
    await manager.connect();
    return manager;
  };

  const leave = async (manager: WebSocketManager): Promise<void> => {
    await manager.destroy({ code: CloseCodes.Resuming });
  };

  await leave(await connect());
  const second = await connect();
  await until(() => expect(fake.gateway.resumes).toBe(1));
  await leave(second);
  fake.world.sessions.remaining = 0;

  expect(session).not.toBeNull();
  await expect(connect()).rejects.toThrow('Not enough sessions remaining');
  expect(fake.gateway.resumes).toBe(1);
  expect(fake.gateway.identifies).toHaveLength(1);
});
