/** The whole program on a store with a damaged record of every kind, and a damaged job in every state. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { JOB_STATES } from '../../../src/command/ports.ts';
import { isFinal } from '../../../src/orchestrator/job/job.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';
import { insert } from '../../contract/store/suite/driver.ts';
import { eventually } from '../../eventually.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { sampleJob } from '../../unit/store/sqlite/open-store.ts';
import { createDataFolder, type Program, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { createHeldService } from '../stage/held-service.ts';
import { photoOf } from '../stage/pictures.ts';

const photo = await photoOf('#4060c0');
const key = randomBytes(32).toString('base64');
it('it starts, other jobs continue, the owner is notified, and /metrics counts them', async () => {
  const folder = createDataFolder();
  await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`, key);
  const path = join(folder.path, 'data/darkroom.sqlite');
  const service = await createHeldService();
  const telegram = await createFakeTelegram({ flood: 'off' });
  const owner = telegram.person('Owner');
  telegram.openPrivate(owner);
  const start = (): Promise<Program> =>
    startProgram(folder.path, {
      GENERATION_URL: service.url,
      GENERATION_API_KEY: 'key',
      GENERATION_TOKEN: 'token',
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      OWNERS: `telegram:${owner.user.id}`,
      PLAYGROUND: 'on',
      PLAYGROUND_PASSWORD: 'a-long-password',
      USER_CONCURRENT_JOBS: '1',
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      STORE_KEY: key,
    });
  let program = await start();
  const somebody = (name: string) => {
    const person = telegram.person(name);
    telegram.openPrivate(person);
    const texts = (): string[] =>
      telegram.fromBot(person.chat).map(({ text, caption }) => text ?? caption ?? '');
    return {
      id: String(person.user.id),
      chat: person.chat,
      says: (line: string, more = {}) => person.says(person.chat, line, more),
      sees: (words: RegExp, times = 1) =>
        eventually(
          () => texts().filter((text) => words.test(text)).length >= times,
          `${name}: ${words}`,
          () => `; seen:\n${texts().join('\n')}`,
        ),
      async consents() {
        const isButton = ({ text }: { readonly text: string }) => /I confirm/.test(text);
        const asked = await eventually(
          () =>
            telegram
              .fromBot(person.chat)
              .find(({ reply_markup }) => reply_markup?.inline_keyboard?.flat().some(isButton)),
          'the question',
        );
        const button = asked.reply_markup?.inline_keyboard?.flat().find(isButton);
        person.presses(asked, button?.text ?? '');
      },
    };
  };
  const swap = (person: ReturnType<typeof somebody>, prompt: string) =>
    person.says(`/faceswap prompt="${prompt}" gender=female`, { photo });

  // Sound: one job that runs, one that waits behind it, and an open question.
  const calm = somebody('Calm');
  swap(calm, 'a first one');
  await calm.consents();
  await eventually(() => service.prompts.length === 1, 'the run');
  swap(calm, 'a second one');
  await calm.sees(/second/);
  calm.says('/animate');
  await calm.sees(/one more thing/);
  const moderator = telegram.person('Moderator');
  const group = telegram.group('Group', { administrators: [moderator] });
  moderator.says(group, '/settings banword word=ugly');
  await eventually(() => telegram.fromBot(group).length > 0, 'the settings');
  expect(await program.stop()).toBe(0);

  // Damaged: a job in every state, and one of everything else that is there.
  const store = await openStore({ path, keys: [Buffer.from(key, 'base64')] });
  const day = new Date().toISOString().slice(0, 10);
  const unlucky = somebody('Unlucky');
  const caller = { platform: 'telegram', id: unlucky.id, name: 'Unlucky', locale: 'en' } as const;
  const chat = String(unlucky.chat.id);
  const place = {
    platform: 'telegram',
    community: `telegram:dm:${unlucky.id}`,
    channel: chat,
    direct: true,
  } as const;
  const at = Date.now();
  for (const state of JOB_STATES) {
    const ended = isFinal(state) ? { finishedAt: at, settled: false } : {};
    await insert(
      store,
      sampleJob({ id: `damaged-${state}`, state, caller, place, day, createdAt: at, due: at, ...ended }),
    );
  }
  store.close();
  const sql = new DatabaseSync(path);
  sql.exec(`
    PRAGMA ignore_check_constraints = ON;
    UPDATE jobs SET body = x'00' WHERE id LIKE 'damaged-%';
    UPDATE audit SET detail = x'00' WHERE seq = 1;
    INSERT INTO erasures (person, direct, day, jobs, audit, entries) VALUES ('x', 'y', 'z', 1, 1, 1);
    UPDATE meta SET value = x'78' WHERE name IN ('removal-time', 'tried', 'keys');
    UPDATE entries SET value = x'00' WHERE namespace <> 'durations' OR key = 'face-swap-v1';
  `);
  const kinds = sql.prepare('SELECT DISTINCT namespace AS kind FROM entries').all();
  sql.close();
  expect(kinds.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['adapter:telegram', 'adapter:web', 'consent', 'drafts', 'durations', 'settings']),
  );

  service.letGo();
  program = await start();
  await calm.sees(/first one[\s\S]*AI-generated/);
  await calm.sees(/second one[\s\S]*AI-generated/);
  const newcomer = somebody('Newcomer');
  swap(newcomer, 'a new one');
  await newcomer.consents();
  await newcomer.sees(/new one[\s\S]*AI-generated/);
  unlucky.says('/jobs');
  await unlucky.sees(/have no jobs/);
  unlucky.says('/usage');
  await unlucky.sees(/credits left/);
  moderator.says(group, '/settings show');
  await eventually(
    () => telegram.fromBot(group).some(({ text }) => text?.includes('settings resume')),
    'that the community is paused',
  );
  await eventually(
    () => telegram.fromBot(owner.chat).some(({ text }) => text?.includes('cannot be read')),
    'the notice to the owner',
  );
  const metrics = await (await fetch(`${program.url}/metrics`)).text();
  const counted = Number(/^darkroom_damaged_records (\d+)$/m.exec(metrics)?.[1]);
  expect(counted).toBeGreaterThanOrEqual(JOB_STATES.length + 4);
  expect(await program.stop()).toBe(0);
  expect(program.output()).not.toMatch(
    /deleting a person's data failed|housekeeping failed|unexpected error/,
  );
  expect(service.prompts.length).toBe(3);

  // What was set aside is not met again.
  const after = new DatabaseSync(path);
  expect(after.prepare("SELECT * FROM jobs WHERE id LIKE 'damaged-%'").all()).toEqual([]);
  expect(after.prepare("SELECT count(*) AS n FROM damaged WHERE kind = 'job'").get()?.n).toBe(
    JOB_STATES.length,
  );
  expect(after.prepare('SELECT * FROM charges WHERE charge = ?').all('reserved')).toEqual([]);
  after.close();
  await telegram.stop();
  await service.close();
  folder.remove();
});
