// @module-tag slow
/**
 * Each kind of record refuses values that do not have its shape. Damaged bytes, plain and encrypted, are tried in both
 * databases by test/contract/store.
 */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { discordRecordRules } from '../../../../../src/adapters/discord/records.ts';
import { telegramRecordRules } from '../../../../../src/adapters/telegram/records.ts';
import { webRecordRules } from '../../../../../src/adapters/web/records.ts';
import { draftRecordRules } from '../../../../../src/command/desk/parts/draft-store.ts';
import { aliasRecordRules } from '../../../../../src/community/aliases/alias-records.ts';
import { catalogRecordRules } from '../../../../../src/community/catalog/catalog.ts';
import {
  communityRecordRules,
  createCommunityRules,
} from '../../../../../src/community/rules/community-rules.ts';
import { consentRecordRules } from '../../../../../src/community/rules/consent.ts';
import { emptyModel } from '../../../../../src/orchestrator/schedule/durations.ts';
import { durationRecordRules } from '../../../../../src/orchestrator/schedule/timing.ts';
import type { SqliteStore } from '../../../../../src/store/sqlite/store.ts';
import type { DamagedRecord } from '../../../../../src/store/tables/damaged.ts';
import type { RecordRules } from '../../../../../src/store/tables/entries.ts';
import { allOf } from '../../../../all-of.ts';
import { insert } from '../../../../contract/store/suite/driver.ts';
import { sampleJob } from '../../../../fakes/sample-job.ts';
import { createStoreFile, keyOf } from '../../../../fakes/store-file.ts';

const person = 'discord:424242424242';
const community = 'discord:777777777';

let file: ReturnType<typeof createStoreFile>;
let found: DamagedRecord[];

beforeEach(() => {
  file = createStoreFile();
  found = [];
});

afterEach(() => file.remove());

const open = (): Promise<SqliteStore> => file.open([keyOf(4)], (record) => void found.push(record));

const tamper = (change: (sql: DatabaseSync) => void): void => {
  file.close();
  const sql = new DatabaseSync(file.path);
  change(sql);
  sql.close();
};

it('damaged jobs are set aside up to a limit, for ninety days', async () => {
  const last = sampleJob();

  await insert(await open(), ...Array.from({ length: 1_200 }, () => sampleJob()), last);
  tamper((sql) => sql.prepare("UPDATE jobs SET body = x'00' WHERE id <> ?").run(last.id));
  const store = await open();

  expect((await allOf(store.jobs.abandoned())).map(({ id }) => id)).toEqual([last.id]);
  expect(found).toHaveLength(1_200);
  expect(store.damaged()).toBe(1_000);

  tamper((sql) => sql.exec('UPDATE damaged SET at = at - 91 * 86400000 WHERE seq % 2 = 0'));
  const later = await open();
  while (await later.sweep());
  expect(later.damaged()).toBe(500);
});

it('a community with damaged settings is paused until a moderator acts; a direct chat is not', async () => {
  const places = [community, 'telegram:dm:7'];

  const settings = (await open()).keyv('settings', communityRecordRules);
  for (const place of places) await settings.set(place, { blocked: [], bannedWords: ['a'] });
  tamper((sql) => sql.exec("UPDATE entries SET value = x'00'"));
  const start = async () =>
    createCommunityRules((await open()).keyv('settings', communityRecordRules), Date.now);
  for (let starts = 0; starts < 2; starts += 1) {
    const rules = await start();
    const [group, direct] = await Promise.all(places.map((place) => rules.show(place)));
    expect(group).toEqual({ paused: { reason: '', lost: true }, blocked: [], bannedWords: [] });
    expect(direct).toEqual({ blocked: [], bannedWords: [] });
  }

  expect(found).toHaveLength(2);

  const rules = await start();
  await rules.resume(community);
  expect(await rules.show(community)).toEqual({ blocked: [], bannedWords: [] });
});

const place = { platform: 'telegram', community: 'telegram:1', channel: '1', direct: false };
const draft = { id: 'd', command: 'help', given: {}, caller: sampleJob().caller, place, event: 'e' };
const form = { title: 'form', questions: [{ option: 'prompt', label: 'Prompt', kind: 'text' }], person: '1' };
const message = { id: 'm', room: 'lobby', order: 1, at: 1, from: 'ann', text: 'hello' };
const medium = { id: 'a', type: 'image/png', size: 3, chunks: 1 };
const rule = { blocked: [], bannedWords: ['a'] };
const alias = [{ state: 'ready', name: 'halloween', model: 'face', id: 'x' }];
const list = { service: 'http://s', entries: [{ reference: '1', name: 'Pop', model: 'face' }] };
const model = emptyModel('self-prompt', 'image');
const working = { chat: -1, receiver: 7, ephemeral: 3, media: false };

/** Kinds of records: a value that has the shape of its kind, and values that do not. */
const kinds: readonly {
  readonly rules: RecordRules;
  readonly key: string;
  readonly good: unknown;
  readonly bad: readonly unknown[];
}[] = [
  {
    rules: communityRecordRules,
    key: community,
    good: rule,
    bad: [
      { ...rule, blocked: 7 },
      { ...rule, credits: -1 },
    ],
  },
  {
    rules: communityRecordRules,
    key: 'telegram:-1',
    good: { movedTo: 'telegram:-2' },
    bad: [{ movedTo: 7 }],
  },
  { rules: aliasRecordRules, key: community, good: alias, bad: [[{ state: 'odd' }], { 0: 1 }] },
  { rules: catalogRecordRules, key: 'face', good: list, bad: [{ service: 'x', entries: [{}] }] },
  { rules: consentRecordRules, key: person, good: { at: 1 }, bad: [{ at: null }, { at: 'x' }] },
  {
    rules: durationRecordRules,
    key: 'self-prompt',
    good: model,
    bad: [{ ...model, seen: [[-1, null]] }, emptyModel('animate', 'video')],
  },
  {
    rules: draftRecordRules,
    key: 'draft:d',
    good: draft,
    bad: [
      { ...draft, caller: 7 },
      { ...draft, given: 'x' },
    ],
  },
  { rules: draftRecordRules, key: 'awaiting:web:a:b:', good: 'd', bad: [7] },
  {
    rules: discordRecordRules,
    key: 'form:d',
    good: form,
    bad: [
      { ...form, questions: [] },
      { ...form, title: 1 },
    ],
  },
  { rules: discordRecordRules, key: 'commands:1', good: 'hash', bad: [7] },
  { rules: telegramRecordRules, key: 'telegram:handled:1', good: [1, 2], bad: [[null], 'x'] },
  {
    rules: telegramRecordRules,
    key: 'telegram:kept',
    good: [{ update_id: 1 }],
    bad: [[7], { update_id: 1 }],
  },
  {
    rules: telegramRecordRules,
    key: 'telegram:asked-elsewhere:7',
    good: place,
    bad: [{ ...place, platform: 'icq' }],
  },
  {
    rules: telegramRecordRules,
    key: 'telegram:relocated:1:2',
    good: { chat: 1, message: 2 },
    bad: [{ chat: 'x' }],
  },
  {
    rules: telegramRecordRules,
    key: 'telegram:questions:7',
    good: [{ draft: 'd', question: {} }],
    bad: [[{}], 'x'],
  },
  { rules: telegramRecordRules, key: 'telegram:migrated:1', good: -5, bad: ['x'] },
  { rules: telegramRecordRules, key: 'telegram:name:ann', good: 7, bad: ['x'] },
  { rules: telegramRecordRules, key: 'telegram:named:7', good: 'ann', bad: [7] },
  { rules: telegramRecordRules, key: 'telegram:album:1:2', good: 'full', bad: ['half'] },
  { rules: telegramRecordRules, key: 'telegram:new-app:7', good: true, bad: [{}] },
  { rules: telegramRecordRules, key: 'telegram:welcomed:-7', good: true, bad: ['yes'] },
  {
    rules: telegramRecordRules,
    key: 'telegram:working:7:telegram:9',
    good: working,
    bad: [{ chat: -1, receiver: 7, media: false }],
  },
  { rules: webRecordRules, key: 'web:sessions', good: ['k'], bad: [[1], 'k'] },
  { rules: webRecordRules, key: 'web:session:k', good: { person: 'ann' }, bad: [{ person: 7 }] },
  {
    rules: webRecordRules,
    key: 'web:media',
    good: [medium],
    bad: [[{ id: 'a' }], [{ ...medium, chunks: 1e9 }]],
  },
  { rules: webRecordRules, key: 'web:media:a:0', good: 'AAAA', bad: [{ a: 1 }] },
  { rules: webRecordRules, key: 'web:room:lobby', good: ['m'], bad: [[{}]] },
  {
    rules: webRecordRules,
    key: 'web:message:lobby:m',
    good: message,
    bad: [
      { ...message, at: null },
      { ...message, from: 7 },
    ],
  },
];

it.each(kinds)(
  'a record such as $key is accepted in the shape of its kind only',
  ({ rules, key, good, bad }) => {
    expect(rules.isValid?.(key, good)).toBe(true);
    for (const value of bad) expect(rules.isValid?.(key, value)).toBe(false);
  },
);
