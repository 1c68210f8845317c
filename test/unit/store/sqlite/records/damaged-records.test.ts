/**
 * What the shapes of records refuse, in every kind of record. Damaged bytes, plain and encrypted, are damaged alike in both
 * databases: test/contract/store.
 */

import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { discordRecords } from '../../../../../src/adapters/discord/records.ts';
import { telegramRecords } from '../../../../../src/adapters/telegram/records.ts';
import { webRecords } from '../../../../../src/adapters/web/records.ts';
import { draftRecords } from '../../../../../src/command/desk/parts/draft-store.ts';
import { aliasRecords } from '../../../../../src/community/aliases/alias-records.ts';
import { listRecords } from '../../../../../src/community/catalog/catalog.ts';
import { consentRecords } from '../../../../../src/community/rules/consent.ts';
import { createCommunityRules, ruleRecords } from '../../../../../src/community/rules/settings.ts';
import { emptyModel } from '../../../../../src/orchestrator/schedule/durations.ts';
import { durationRecords } from '../../../../../src/orchestrator/schedule/timing.ts';
import { createSeal } from '../../../../../src/store/records/seal.ts';
import { openStore, type SqliteStore } from '../../../../../src/store/sqlite/store.ts';
import type { DamagedRecord } from '../../../../../src/store/tables/damaged.ts';
import type { RecordRules } from '../../../../../src/store/tables/entries.ts';
import { allOf } from '../../../../all-of.ts';
import { insert } from '../../../../contract/store/suite/driver.ts';
import { createStoreFile, keyOf, sampleJob } from '../open-store.ts';

const person = 'discord:424242424242';
const community = 'discord:777777777';

let file: ReturnType<typeof createStoreFile>;
let found: DamagedRecord[];
let store: SqliteStore;
let isOpen = false;
beforeEach(() => {
  file = createStoreFile();
  found = [];
});
afterEach(() => {
  close();
  file.remove();
});

const close = (): void => {
  if (isOpen) store.close();
  isOpen = false;
};

const open = async (keys: readonly Uint8Array[]): Promise<SqliteStore> => {
  close();
  isOpen = true;
  store = await openStore({
    path: file.path,
    keys,
    now: () => file.time.now,
    alone: true,
    damaged: (record) => void found.push(record),
  });
  return store;
};

const tamper = (change: (sql: DatabaseSync) => void): void => {
  close();
  const sql = new DatabaseSync(file.path);
  sql.exec('PRAGMA ignore_check_constraints = ON');
  change(sql);
  sql.close();
};

const keys = [keyOf(4)];
const sealed = (text: string, purpose: string): SQLInputValue =>
  Buffer.from(createSeal(keys).seal(text, purpose));

describe('a job', () => {
  it('that has the record of another is set aside, and the others continue', async () => {
    await open(keys);
    const [first, damaged, last] = [sampleJob(), sampleJob(), sampleJob()];
    await insert(store, first, damaged, last);
    const { version: __, ...job } = first;
    const body = sealed(JSON.stringify({ ...job, id: 'another' }), 'job');
    tamper((sql) => sql.prepare('UPDATE jobs SET body = ? WHERE id = ?').run(body, damaged.id));
    await open(keys);
    expect((await allOf(store.jobs.abandoned())).map(({ id }) => id)).toEqual([first.id, last.id]);
    expect(found).toMatchObject([{ kind: 'job', id: damaged.id }]);
    await open(keys);
    expect(found).toHaveLength(1);
    expect(store.damaged()).toBe(1);
  });

  it('is set aside up to a limit', async () => {
    await open(keys);
    for (let count = 0; count < 1_200; count += 1) await insert(store, sampleJob());
    const last = sampleJob();
    await insert(store, last);
    tamper((sql) => sql.prepare("UPDATE jobs SET body = x'00' WHERE id <> ?").run(last.id));
    await open(keys);
    expect((await allOf(store.jobs.abandoned())).map(({ id }) => id)).toEqual([last.id]);
    expect(found).toHaveLength(1_200);
    expect(store.damaged()).toBe(1_000);
  });
});

it('a community with damaged settings is paused until a moderator acts; a direct chat is not', async () => {
  await open(keys);
  const places = [community, 'telegram:dm:7'];
  for (const place of places)
    await store.keyv('settings', ruleRecords).set(place, { blocked: [], bannedWords: ['a'] });
  tamper((sql) => sql.exec("UPDATE entries SET value = x'00'"));
  for (let starts = 0; starts < 2; starts += 1) {
    await open(keys);
    const rules = createCommunityRules(store.keyv('settings', ruleRecords), Date.now);
    const [group, direct] = await Promise.all(places.map((place) => rules.show(place)));
    expect(group).toEqual({ paused: { reason: '', lost: true }, blocked: [], bannedWords: [] });
    expect(direct).toEqual({ blocked: [], bannedWords: [] });
  }
  expect(found).toHaveLength(2);
  const rules = createCommunityRules(store.keyv('settings', ruleRecords), Date.now);
  await rules.resume(community);
  expect(await rules.show(community)).toEqual({ blocked: [], bannedWords: [] });
});

const place = { platform: 'telegram', community: 'telegram:1', channel: '1', direct: false };
const draft = { id: 'd', command: 'help', given: {}, caller: sampleJob().caller, place, event: 'e' };
const form = {
  title: 'form',
  questions: [{ option: 'prompt', label: 'Prompt', kind: 'text' }],
  person: '1',
};
const message = { id: 'm', room: 'lobby', order: 1, at: 1, from: 'alice', text: 'hello' };
const media = [{ id: 'a', type: 'image/png', size: 3, chunks: 1 }];
const alias = [{ state: 'ready', name: 'halloween', model: 'face', id: 'x' }];
const list = { service: 'http://s', entries: [{ reference: '1', name: 'Pop', model: 'face' }] };
const kinds: readonly (readonly [string, RecordRules, string, unknown, readonly unknown[]])[] = [
  [
    'settings',
    ruleRecords,
    community,
    { blocked: [], bannedWords: ['a'] },
    [
      { blocked: 7, bannedWords: [] },
      { credits: -1, blocked: [], bannedWords: [] },
    ],
  ],
  ['settings', ruleRecords, 'telegram:-1', { movedTo: 'telegram:-2' }, [{ movedTo: 7 }]],
  ['aliases', aliasRecords, community, alias, [[{ state: 'odd' }], { 0: 1 }]],
  ['catalogs', listRecords, 'face', list, [{ service: 'x', entries: [{}] }]],
  ['consent', consentRecords, person, { at: 1 }, [{ at: null }, { at: 'x' }]],
  [
    'durations',
    durationRecords,
    'self-prompt',
    emptyModel('self-prompt', 'image'),
    [{ ...emptyModel('self-prompt', 'image'), seen: [[-1, null]] }, emptyModel('animate', 'video')],
  ],
  [
    'drafts',
    draftRecords,
    'draft:d',
    draft,
    [
      { ...draft, caller: 7 },
      { ...draft, place: {} },
      { ...draft, given: 'x' },
    ],
  ],
  ['drafts', draftRecords, 'awaiting:web:a:b:', 'd', [7]],
  [
    'adapter:discord',
    discordRecords,
    'form:d',
    form,
    [
      { ...form, questions: [] },
      { ...form, title: 1 },
    ],
  ],
  ['adapter:discord', discordRecords, 'commands:1', 'hash', [7]],
  ['adapter:telegram', telegramRecords, 'telegram:handled:1', [1, 2], [[null], 'x']],
  ['adapter:telegram', telegramRecords, 'telegram:kept', [{ update_id: 1 }], [[7], { update_id: 1 }]],
  ['adapter:telegram', telegramRecords, 'telegram:asked-elsewhere:7', place, [{ ...place, platform: 'icq' }]],
  ['adapter:telegram', telegramRecords, 'telegram:relocated:1:2', { chat: 1, message: 2 }, [{ chat: 'x' }]],
  ['adapter:telegram', telegramRecords, 'telegram:questions:7', [{ draft: 'd', question: {} }], [[{}], 'x']],
  ['adapter:telegram', telegramRecords, 'telegram:migrated:1', -5, ['x']],
  ['adapter:telegram', telegramRecords, 'telegram:name:ann', 7, ['x']],
  ['adapter:telegram', telegramRecords, 'telegram:album:1:2', 'full', ['half']],
  ['adapter:telegram', telegramRecords, 'telegram:old-app:7', true, [{}]],
  ['adapter:telegram', telegramRecords, 'telegram:welcomed:-7', true, ['yes']],
  [
    'adapter:telegram',
    telegramRecords,
    'telegram:working:7:telegram:9',
    { chat: -1, receiver: 7, ephemeral: 3, media: false },
    [{ chat: -1, receiver: 7, media: false }, { chat: -1 }],
  ],
  ['adapter:web', webRecords, 'web:sessions', ['k'], [[1], 'k']],
  ['adapter:web', webRecords, 'web:session:k', { person: 'alice' }, [{ person: 7 }]],
  ['adapter:web', webRecords, 'web:media', media, [[{ id: 'a' }], [{ ...media[0], chunks: 1e9 }]]],
  ['adapter:web', webRecords, 'web:media:a:0', 'AAAA', [{ a: 1 }]],
  ['adapter:web', webRecords, 'web:room:lobby', ['m'], [[{}]]],
  [
    'adapter:web',
    webRecords,
    'web:message:lobby:m',
    message,
    [
      { ...message, at: null },
      { ...message, from: 7 },
    ],
  ],
];

describe.each(kinds)('of %s, a record', (_, rules, key, good, bad) => {
  it(`(${key}) has the shape of its kind`, () => {
    expect([good, ...bad].map((value) => rules.isValid?.(key, value))).toEqual([
      true,
      ...bad.map(() => false),
    ]);
  });
});

it.each([
  ['of another key', JSON.stringify(['another', JSON.stringify({ value: list })])],
  ['far too long', 'x'.repeat(17 * 1024 * 1024)],
])('a record that is %s is as none; the others are there', async (_, text) => {
  await open(keys);
  const keyv = store.keyv('catalogs', listRecords);
  await keyv.set('face', list);
  await store.keyv('other').set('face', list);
  tamper((sql) =>
    sql.prepare("UPDATE entries SET value = ? WHERE namespace = 'catalogs'").run(sealed(text, 'catalogs')),
  );
  await open(keys);
  expect(await store.keyv('catalogs', listRecords).get('face')).toBeUndefined();
  expect(found).toMatchObject([{ kind: 'catalogs' }]);
  expect(store.damaged()).toBe(1);
  expect(await store.keyv('other').get('face')).toEqual(list);
});
