// @module-tag slow
/** The whole program on a store with a damaged record of every kind, and a damaged job in every state. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { JOB_STATES } from '../../../src/command/jobs-port.ts';
import { isFinal } from '../../../src/orchestrator/job/job.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { insert } from '../../contract/store/suite/driver.ts';
import { eventually } from '../../eventually.ts';
import { sampleJob } from '../../fakes/sample-job.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, type Program, settingsFor, startProgram } from '../program.ts';
import type { Outcome, Person } from '../stage/chat.ts';
import { teachQuickness } from '../stage/experience.ts';
import { createHeldService } from '../stage/held-service.ts';
import { prompted, settings } from '../stage/lines.ts';
import { telegramChat } from '../stage/telegram-chat.ts';

const key = randomBytes(32).toString('base64');
it('a program with damaged records starts, other jobs continue, the owner is notified, and /metrics counts them', async () => {
  const folder = createDataFolder();
  const path = join(folder.path, 'data/darkroom.sqlite');

  await teachQuickness(`sqlite:${path}`, key);
  const service = await createHeldService();
  const telegram = await createFakeTelegram({ flood: 'off' });
  const chat = telegramChat(telegram);
  const somebody = (name: string): Person => chat.room().person(name).at('direct');
  const owner = somebody('Owner');
  const start = (): Promise<Program> =>
    startProgram(folder.path, {
      ...settingsFor(service, telegram),
      OWNERS: owner.key,
      PLAYGROUND: 'on',
      PLAYGROUND_PASSWORD: 'a-long-password',
      USER_CONCURRENT_JOBS: '1',
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      STORE_KEY: key,
    });
  let program = await start();
  /** Whoever asks for the first time is asked, too. */
  const asks = async (person: Person, prompt: string): Promise<Outcome> => {
    const outcome = person.types(prompted(prompt));
    const confirm = (label: string): boolean => label.includes('I confirm');
    const question = await outcome.until(({ buttons }) => buttons.some(confirm), 'the question');
    person.presses(question, question.buttons.find(confirm) ?? '');
    return outcome;
  };

  // Sound: one job that runs, one that waits behind it, and an open question.
  const calm = somebody('Calm');
  const first = await asks(calm, 'a first one');
  await eventually(() => service.prompts.length === 1, 'the run');
  const second = calm.types(prompted('a second one'));
  await second.says('second');
  await calm.types({ command: 'animate' }).says('one more thing');
  const moderator = chat.room().person('Moderator');
  moderator.moderates(true);
  await moderator.types(settings('banword', { word: 'ugly' })).answer();

  expect(await program.stop()).toBe(0);

  // Damaged: a job in every state, and one of everything else that is there.
  const store = await openSqliteStore({ path, keys: [Buffer.from(key, 'base64')] });
  const day = new Date().toISOString().slice(0, 10);
  const unlucky = somebody('Unlucky');
  const platform = 'telegram' as const;
  const id = unlucky.key.replace('telegram:', '');
  const caller = { platform, id, name: 'Unlucky', locale: 'en' };
  const place = { platform, community: `telegram:dm:${id}`, channel: id, direct: true };
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
  await first.says(/first one[\s\S]*AI-generated/);
  await second.says(/second one[\s\S]*AI-generated/);
  await (await asks(somebody('Newcomer'), 'a new one')).says(/new one[\s\S]*AI-generated/);
  await unlucky.types({ command: 'jobs' }).says('have no jobs');
  await unlucky.types({ command: 'usage' }).says('credits left');
  await moderator.types(settings('show')).says('settings resume');
  const isTold = () =>
    owner
      .at('direct')
      .sees()
      .some(({ text }) => text.includes('cannot be read'));
  await eventually(isTold, 'the notice to the owner');
  const metrics = await (await fetch(`${program.url}/metrics`)).text();
  const counted = Number(/^darkroom_damaged_records (\d+)$/m.exec(metrics)?.[1]);

  expect(counted).toBeGreaterThanOrEqual(JOB_STATES.length + 4);
  expect(await program.stop()).toBe(0);
  expect(program.output()).not.toMatch(
    /deleting a person's data failed|housekeeping failed|unexpected error/,
  );
  expect(service.prompts.length).toBe(3);

  // Records that were set aside are not met again.
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
