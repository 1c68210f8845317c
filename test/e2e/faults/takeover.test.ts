// @module-tag slow
// @module-tag longest
/** Two whole programs on one PostgreSQL: what one of them leaves in the middle, the other one brings to its end. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Readiness } from '../../../src/http/readiness.ts';
import { isDead, MEMBER_LOCKS } from '../../../src/store/postgres/members/lock-keys.ts';
import { eventually } from '../../eventually.ts';
import { type PgBouncer, startPgBouncer } from '../../fakes/pgbouncer.ts';
import { createTestDatabase, type TestDatabase } from '../../fakes/postgres.ts';
import { createFakeTelegram, type FakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, type Program, settingsFor, startProgram } from '../program.ts';
import type { Person, Seen } from '../stage/chat.ts';
import { teachQuickness } from '../stage/experience.ts';
import { createHeldService } from '../stage/held-service.ts';
import { prompted } from '../stage/lines.ts';
import { telegramChat } from '../stage/telegram-chat.ts';

const takeoverTests = (way: 'directly' | 'through PgBouncer'): void => {
  const folder = createDataFolder();
  let database: TestDatabase;
  let pooler: PgBouncer | undefined;
  let service: Awaited<ReturnType<typeof createHeldService>>;
  let telegram: FakeTelegram;
  let programs: Program[] = [];
  const start = (): Promise<Program> =>
    startProgram(folder.path, {
      STORE_URL: pooler?.through(database.url) ?? database.url,
      ...settingsFor(service, telegram),
      PLAYGROUND_PASSWORD: 'correct-horse-battery',
      CONSENT: 'off',
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      USER_DAILY_CREDITS: '10000',
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    if (way !== 'directly') pooler = await startPgBouncer(database.url, 'session');
    await teachQuickness(database.url);
    service = await createHeldService({ areRunsHeld: true });
    telegram = await createFakeTelegram({ flood: 'off' });
  });
  beforeEach(async () => {
    service.reset();
    programs = await Promise.all([start(), start()]);
  });
  afterEach(() => Promise.all(programs.map((program) => program.kill())));
  afterAll(async () => {
    await Promise.all([service.close(), telegram.stop()]);
    await pooler?.stop();
    await database[Symbol.asyncDispose]();
    folder.remove();
  });

  /** The program that has the only unfinished job in hand, or had it last, and is alive. */
  const holder = async (state: string): Promise<Program> =>
    eventually(async () => {
      const [row] = await database.query(
        `SELECT m.name FROM jobs j JOIN members m ON m.id::text = j.member
         WHERE j.state = $1 AND m.id IN (SELECT objid::bigint FROM ${MEMBER_LOCKS})`,
        [state],
      );
      return programs.find(({ pid }) => String(row?.name).endsWith(`:${pid}`));
    }, `a job that is ${state}`);
  const begin = async (): Promise<{ readonly person: Person; readonly card: Seen }> => {
    const person = telegramChat(telegram).room().person('somebody');
    const card = await person.types(prompted('a hat')).offers('Cancel');
    return { person, card };
  };

  it.each(['SIGKILL', 'SIGSTOP'] as const)(
    'a running job gets its result from the other program after %s',
    async (signal) => {
      service.answerRuns();
      const { person, card } = await begin();
      const ended = await holder('running');
      process.kill(ended.pid, signal);
      service.letGo();
      await eventually(() => person.again(card)?.media, 'the result');

      expect(service.prompts).toHaveLength(1);

      if (signal === 'SIGKILL') return;
      await eventually(async () => {
        const [row] = await database.query(`SELECT ${isDead('id')} AS dead FROM members WHERE name LIKE $1`, [
          `%:${ended.pid}`,
        ]);
        return row?.dead === true;
      }, 'it to be taken for dead');
      process.kill(ended.pid, 'SIGCONT');
      await eventually(() => ended.output().includes('work resumes'), 'it to have joined again');
      await eventually(async () => {
        const { checks } = (await (await fetch(`${ended.url}/readyz`)).json()) as Readiness;
        return checks.session?.ok && checks.store?.ok;
      }, 'it to be ready again');

      expect(person.again(card)?.media).toBeDefined();
    },
  );

  it('a job whose run was under way is uncertain, and never sent again', async () => {
    const { person, card } = await begin();
    const ended = await holder('submitting');

    await eventually(() => service.prompts.length === 1);
    await ended.kill();
    service.answerRuns();
    await eventually(() => person.again(card)?.text.includes('not certain'), 'the card to say so');

    expect(service.prompts).toHaveLength(1);
  });

  it('a run that was under way when the session was lost keeps its outcome', async () => {
    const { person, card } = await begin();
    const sender = await holder('submitting');

    await eventually(() => service.prompts.length === 1);
    await database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'darkroom%' AND datname = current_database()",
    );
    await eventually(() => programs.every((program) => program.output().includes('work resumes')));

    expect(await holder('submitting')).toBe(sender);

    service.answerRuns();
    service.letGo();
    await eventually(() => person.again(card)?.media, 'the result');

    expect(service.prompts).toHaveLength(1);
  });

  it('both programs are shown to the owner, and each names itself in its metrics', async () => {
    const ids = await eventually(async () => {
      const rows = await database.query('SELECT id, name FROM members');
      const mine = programs.flatMap(({ pid }) => rows.filter(({ name }) => String(name).endsWith(`:${pid}`)));
      return mine.length === 2 && mine.map(({ id }) => String(id));
    });
    const [first] = programs;
    const headers = {
      authorization: `Basic ${Buffer.from('owner:correct-horse-battery').toString('base64')}`,
    };
    const page = await (await fetch(`${first?.url}/owner`, { headers })).text();

    for (const id of ids) expect(page).toContain(`(${id})</bdi></td>`);

    const metrics = await (await fetch(`${first?.url}/metrics`)).text();
    expect(metrics).toContain(`darkroom_jobs{where="waiting",member="${ids[0]}"}`);
  });
};

describe('two programs on one database, directly', { tags: ['postgres'] }, () => takeoverTests('directly'));
describe('two programs on one database, through PgBouncer', { tags: ['postgres', 'pgbouncer'] }, () =>
  takeoverTests('through PgBouncer'),
);
