// @module-tag slow
// @module-tag longest
/** Two whole programs on one PostgreSQL have the requests for removal together, whichever of them is killed. */
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { languages } from '../../../src/words/words.ts';
import { eventually } from '../../eventually.ts';
import { createTestDatabase } from '../../fakes/postgres.ts';
import { createGenerationService } from '../../fakes/service/service.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, type Program, settingsFor, startProgram } from '../program.ts';
import { decided, noticeOf, notices } from '../stage/approval-notices.ts';
import { telegramChat } from '../stage/telegram-chat.ts';

const said = languages.en.removalPage;
const owners = languages.en.owner.requests;

it('each request is kept, told of once and decided once, through kills; bounds hold for both programs together', {
  tags: ['postgres'],
  timeout: 600_000,
}, async () => {
  await using opened = new AsyncDisposableStack();
  const folder = createDataFolder();
  opened.defer(() => folder.remove());
  const database = opened.use(await createTestDatabase());
  const telegram = await createFakeTelegram({ flood: 'off' });
  opened.defer(telegram.stop);
  const service = await createGenerationService();
  opened.defer(service.close);
  const olga = telegramChat(telegram).room().person('Olga');
  const inbox = olga.at('direct');
  const env = {
    STORE_URL: database.url,
    STORE_KEY: randomBytes(32).toString('base64'),
    ...settingsFor(service, telegram),
    OWNERS: olga.key,
    PLAYGROUND_PASSWORD: 'correct-horse-battery',
    REMOVAL_PAGE: 'on',
  };
  const start = (): Promise<Program> => startProgram(folder.path, env);
  const programs = await Promise.all([start(), start()]);
  opened.defer(async () => void (await Promise.all(programs.map((program) => program.kill()))));
  const at = (index: number): Program => programs[index] ?? expect.fail('no such program');

  const ask = async (index: number, about: string, address: string): Promise<Response> => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ link: 'https://t.me/c/1/2', about, contact: 'ann@x.test' }))
      body.set(name, value);
    const headers = { 'x-forwarded-for': address };
    return fetch(`${at(index).url}/removal`, { method: 'POST', body, headers, redirect: 'manual' });
  };
  const stateOf = async (index: number, path: string): Promise<string> =>
    (await fetch(`${at(index).url}${path}`)).text();
  const killed = async (index: number): Promise<void> => {
    await at(index).kill();
    programs[index] = await start();
  };

  // A request that was answered is stored, whatever becomes of the program that has answered.
  const paths: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    const index = round % 2;
    const answer = await ask(index, `request-number-${round}`, `203.0.113.${round}`);
    expect(answer.status).toBe(303);
    const path = answer.headers.get('location') ?? '';
    paths.push(path);
    if (round > 1) await noticeOf(inbox, `request-number-${round}`);
    await killed(index);
    expect(await stateOf(1 - index, path)).toContain(said.states.open.title);
  }
  for (let round = 2; round < 4; round += 1)
    expect(notices(inbox, `request-number-${round}`)).toHaveLength(1);
  for (let round = 0; round < 2; round += 1)
    expect(notices(inbox, `request-number-${round}`).length).toBeLessThanOrEqual(1);

  // A button works after a kill, and everybody reads what was decided.
  const notice = await noticeOf(inbox, 'request-number-3');
  inbox.presses(notice, owners.buttons.nothing);
  await decided(inbox, notice, 'Nothing was found.');
  await killed(0);
  for (const index of [0, 1])
    await eventually(
      async () => (await stateOf(index, paths[3] ?? '')).includes(said.states.nothing.title),
      'the decision',
    );

  // Six at the same time at both programs: three are accepted.
  const flood = Array.from({ length: 6 }, (_, each) => ask(each % 2, `flood-${each}`, '203.0.113.99'));
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 303)).toHaveLength(3);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);

  // Nothing of a request is readable in the database.
  const rows = await database.query(
    "SELECT count(*) AS count FROM entries WHERE position('request-number'::bytea in value) > 0",
    [],
  );
  expect(Number(rows[0]?.count)).toBe(0);
});
