// @module-tag slow
// @module-tag longest
/** The whole program on a store whose file is a link or is taken away, and on a PostgreSQL whose disk is full. */
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Readiness } from '../../../src/http/readiness.ts';
import { eventually } from '../../eventually.ts';
import { canMount, fillDisk, startPostgresCluster } from '../../fakes/postgres-cluster.ts';
import { postgresPrograms } from '../../needs.ts';
import type { Outcome } from '../stage/chat.ts';
import { prompted } from '../stage/lines.ts';
import { createStage } from '../stage/stage.ts';

/** The first person of the fake is the owner. */
const open = async (env: Readonly<Record<string, string>> = {}) => {
  const stage = await createStage({ env: { OWNERS: 'telegram:1001', ...env } });
  const owner = stage.platforms.telegram.room().person('Owner');
  const ask = (prompt: string): Outcome =>
    stage.platforms.telegram.room().person('Somebody').at('direct').types(prompted(prompt));
  const store = async (): Promise<string> => {
    const answer = (await (await fetch(`${stage.program().url}/readyz`)).json()) as Readiness;
    return JSON.stringify(answer.checks.store);
  };
  const isReady = () => eventually(async () => (await store()) === '{"ok":true}', 'to be ready');
  const isTold = (notice: RegExp): boolean =>
    owner
      .at('direct')
      .sees()
      .some(({ text }) => notice.test(text));
  return { stage, ask, store, isReady, isTold };
};

it('a store behind a symbolic link works; a removed store accepts nothing and reports it', async () => {
  const { stage, ask, store, isReady, isTold } = await open();
  const data = join(stage.folder, 'data');
  const disk = join(stage.folder, 'disk');

  mkdirSync(disk);
  await stage.restart('stop', {}, async () => {
    renameSync(join(data, 'darkroom.sqlite'), join(disk, 'real.sqlite'));
    symlinkSync('../disk/real.sqlite', join(data, 'darkroom.sqlite'));
  });
  await ask('a link').result();
  await isReady();

  renameSync(join(disk, 'real.sqlite'), join(disk, 'away.sqlite'));
  await eventually(async () => (await store()).includes('removed or replaced'), 'the reason');
  const waiting = ask('a hat');
  const notice = /The store is not writable.*its file was removed or replaced: put it back/;
  await eventually(() => isTold(notice), 'a notice');

  expect(stage.recorder.runs()).toHaveLength(1);

  renameSync(join(disk, 'away.sqlite'), join(disk, 'real.sqlite'));
  await isReady();
  // Telegram had it meanwhile.
  await waiting.result();
  await ask('more').result();

  // The program had every reason to log errors.
  await expect(stage.close()).rejects.toThrow('the program met an error');
});

it.skipIf(!canMount || postgresPrograms === undefined)(
  'a full database is told of and spends nothing; when there is room again, everything goes on',
  { tags: ['postgres-programs'] },
  async () => {
    await using opened = new AsyncDisposableStack();
    const cluster = await startPostgresCluster({ diskMb: 120 });

    opened.defer(cluster.stop);
    const { stage, ask, store, isReady, isTold } = await open({ STORE_URL: cluster.url });
    await ask('a hat').result();
    const empty = fillDisk(cluster);
    await eventually(async () => (await store()).includes('its disk is full'), 'the reason');
    // Jobs are accepted as long as there is room in files that exist. Then people are told, or their updates stay at Telegram.
    const asked: Outcome[] = [];
    await eventually(() => {
      if (asked.length < 500) asked.push(ask(`number ${asked.length}`));
      return isTold(/not writable.*its disk is full\. Free some space/);
    }, 'a notice');

    expect(stage.program().output()).not.toContain('Telegram cannot be reached');

    empty();
    await isReady();
    const last = ask('a scarf');
    await last.result();
    for (const each of asked) await each.says(/AI-generated|went wrong.*Nothing was spent/);

    await expect(stage.close()).rejects.toThrow('the program met an error');
  },
);
