/** The whole program on a PostgreSQL whose disk is full. */
import { expect, it } from 'vitest';
import type { Readiness } from '../../../src/http/readiness.ts';
import { eventually } from '../../eventually.ts';
import { canMount, fillDisk, postgresPrograms, startPostgresCluster } from '../../fakes/postgres-cluster.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { photoOf } from '../stage/pictures.ts';
import { createChance } from './kill/chance.ts';
import { createKillService } from './kill/service.ts';

const photo = await photoOf('#4060c0');

it.skipIf(postgresPrograms() === undefined || !canMount)(
  'it says so and spends nothing; when there is room again, everything goes on',
  async () => {
    await using opened = new AsyncDisposableStack();
    const folder = createDataFolder();
    opened.defer(() => folder.remove());
    const cluster = await startPostgresCluster({}, 120);
    opened.defer(cluster.stop);
    await teachQuickness(cluster.url);
    const service = await createKillService(createChance('full'), () => undefined);
    opened.defer(service.close);
    const telegram = await createFakeTelegram({ flood: 'off' });
    opened.defer(telegram.stop);
    const owner = telegram.person('Owner');
    telegram.openPrivate(owner);
    const program = await startProgram(folder.path, {
      STORE_URL: cluster.url,
      GENERATION_URL: service.url,
      GENERATION_API_KEY: 'key',
      GENERATION_TOKEN: 'token',
      TELEGRAM_TOKEN: telegram.token,
      TELEGRAM_API_URL: telegram.url,
      OWNERS: `telegram:${owner.user.id}`,
      CONSENT: 'off',
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
    });
    opened.defer(() => program.kill());
    const told = ({ chat }: typeof owner): string =>
      telegram
        .fromBot(chat)
        .map(({ text, caption }) => text ?? caption ?? '')
        .join('\n');
    const ask = (prompt: string): typeof owner => {
      const person = telegram.person(`Somebody who wants ${prompt}`);
      telegram.openPrivate(person);
      person.says(person.chat, `/faceswap prompt="${prompt}" gender=female`, { photo });
      return person;
    };
    const store = async (): Promise<string> =>
      JSON.stringify(((await (await fetch(`${program.url}/readyz`)).json()) as Readiness).checks.store);

    const first = ask('a hat');
    await eventually(() => told(first).includes('AI-generated'), 'a result');
    const empty = fillDisk(cluster);
    await eventually(async () => (await store()).includes('its disk is full'), 'the reason');
    // As long as there is room in files that exist, jobs are accepted. Then people are told, or their updates stay at Telegram.
    const notice = /not writable.*its disk is full\. Free some space/;
    const asked: (typeof owner)[] = [];
    await eventually(() => {
      if (asked.length < 500) asked.push(ask(`number ${asked.length}`));
      return notice.test(told(owner));
    }, 'a notice');
    expect(program.output()).not.toContain('Telegram cannot be reached');

    empty();
    await eventually(async () => (await store()) === '{"ok":true}', 'to be ready again');
    const isRefused = (person: typeof owner): boolean => /went wrong.*Nothing was spent/.test(told(person));
    const last = ask('a scarf');
    for (const person of [last, ...asked])
      await eventually(() => told(person).includes('AI-generated') || isRefused(person), 'an end');
    expect(isRefused(last)).toBe(false);
    expect(await program.stop()).toBe(0);
  },
);
