/** The whole program on a store whose file is a link, or is taken away. */
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { createDataFolder, startProgram } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { photoOf } from '../stage/pictures.ts';
import { createChance } from './kill/chance.ts';
import { createKillService } from './kill/service.ts';

const photo = await photoOf('#4060c0');

it('a store behind a symbolic link works; a removed store accepts nothing and reports it', async () => {
  const folder = createDataFolder();
  await teachQuickness(`sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`);
  const [data, disk] = [join(folder.path, 'data'), join(folder.path, 'disk')];
  mkdirSync(disk);
  renameSync(join(data, 'darkroom.sqlite'), join(disk, 'real.sqlite'));
  symlinkSync('../disk/real.sqlite', join(data, 'darkroom.sqlite'));
  const service = await createKillService(createChance('link'), () => undefined);
  const telegram = await createFakeTelegram({ flood: 'off' });
  const owner = telegram.person('Owner');
  telegram.openPrivate(owner);
  const program = await startProgram(folder.path, {
    GENERATION_URL: service.url,
    GENERATION_API_KEY: 'key',
    GENERATION_TOKEN: 'token',
    TELEGRAM_TOKEN: telegram.token,
    TELEGRAM_API_URL: telegram.url,
    OWNERS: `telegram:${owner.user.id}`,
    CONSENT: 'off',
    IMAGE_LOOK_FLOOR_SECONDS: '0.05',
  });
  const asks = (prompt: string) => {
    const person = telegram.person(`Somebody who wants ${prompt}`);
    telegram.openPrivate(person);
    person.says(person.chat, `/faceswap prompt="${prompt}" gender=female`, { photo });
    return {
      sees: (words: RegExp) => eventually(() => told(person).some((text) => words.test(text)), String(words)),
    };
  };
  const told = ({ chat }: typeof owner): string[] =>
    telegram.fromBot(chat).map(({ text, caption }) => text ?? caption ?? '');
  const store = async (): Promise<string> => {
    const { checks } = (await (await fetch(`${program.url}/readyz`)).json()) as {
      checks: { store: unknown };
    };
    return JSON.stringify(checks.store);
  };
  const isReady = async (): Promise<boolean> => (await store()) === '{"ok":true}';

  await asks('a link').sees(/AI-generated/);
  await eventually(isReady, 'to be ready');

  renameSync(join(disk, 'real.sqlite'), join(disk, 'away.sqlite'));
  await eventually(async () => (await store()).includes('removed or replaced'), 'the reason');
  const waiting = asks('a hat');
  const notice = /The store is not writable.*its file was removed or replaced: put it back/;
  await eventually(() => told(owner).some((text) => notice.test(text)), 'a notice');
  expect(service.runs.size).toBe(1);

  renameSync(join(disk, 'away.sqlite'), join(disk, 'real.sqlite'));
  await eventually(isReady, 'to be ready again');
  // Telegram had it meanwhile.
  await waiting.sees(/AI-generated/);
  await asks('more').sees(/AI-generated/);
  expect(await program.stop()).toBe(0);
  await telegram.stop();
  await service.close();
  folder.remove();
});
