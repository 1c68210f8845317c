// @module-tag slow
/**
 * Each kind of record refuses values that do not have its shape. Damaged bytes, plain and encrypted, are tried in both
 * databases by test/contract/store.
 */
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { discordRecords } from '../../../../../src/adapters/discord/records.ts';
import { telegramRecords } from '../../../../../src/adapters/telegram/records.ts';
import { webRecords } from '../../../../../src/adapters/web/records.ts';
import { draftRecords } from '../../../../../src/command/desk/parts/draft-store.ts';
import { aliasRecords } from '../../../../../src/community/aliases/alias-records.ts';
import { listRecords } from '../../../../../src/community/catalog/catalog.ts';
import { createCommunityRules, ruleRecords } from '../../../../../src/community/rules/community-rules.ts';
import { consentRecords } from '../../../../../src/community/rules/consent.ts';
import { emptyModel } from '../../../../../src/orchestrator/schedule/durations.ts';
import { durationRecords } from '../../../../../src/orchestrator/schedule/timing.ts';
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

  const settings = (await open()).keyv('settings', ruleRecords);
  for (const place of places) await settings.set(place, { blocked: [], bannedWords: ['a'] });
  tamper((sql) => sql.exec("UPDATE entries SET value = x'00'"));
  const start = async () => createCommunityRules((await open()).keyv('settings', ruleRecords), Date.now);
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

/** The rules of a kind of record, a key, a good value, and bad values. */
const kinds: readonly (readonly [rules: RecordRules, key: string, good: unknown, ...bad: unknown[]])[] = [
  [ruleRecords, community, rule, { ...rule, blocked: 7 }, { ...rule, credits: -1 }],
  [ruleRecords, 'telegram:-1', { movedTo: 'telegram:-2' }, { movedTo: 7 }],
  [aliasRecords, community, alias, [{ state: 'odd' }], { 0: 1 }],
  [listRecords, 'face', list, { service: 'x', entries: [{}] }],
  [consentRecords, person, { at: 1 }, { at: null }, { at: 'x' }],
  [durationRecords, 'self-prompt', model, { ...model, seen: [[-1, null]] }, emptyModel('animate', 'video')],
  [draftRecords, 'draft:d', draft, { ...draft, caller: 7 }, { ...draft, given: 'x' }],
  [draftRecords, 'awaiting:web:a:b:', 'd', 7],
  [discordRecords, 'form:d', form, { ...form, questions: [] }, { ...form, title: 1 }],
  [discordRecords, 'commands:1', 'hash', 7],
  [telegramRecords, 'telegram:handled:1', [1, 2], [null], 'x'],
  [telegramRecords, 'telegram:kept', [{ update_id: 1 }], [7], { update_id: 1 }],
  [telegramRecords, 'telegram:asked-elsewhere:7', place, { ...place, platform: 'icq' }],
  [telegramRecords, 'telegram:relocated:1:2', { chat: 1, message: 2 }, { chat: 'x' }],
  [telegramRecords, 'telegram:questions:7', [{ draft: 'd', question: {} }], [{}], 'x'],
  [telegramRecords, 'telegram:migrated:1', -5, 'x'],
  [telegramRecords, 'telegram:name:ann', 7, 'x'],
  [telegramRecords, 'telegram:named:7', 'ann', 7],
  [telegramRecords, 'telegram:album:1:2', 'full', 'half'],
  [telegramRecords, 'telegram:new-app:7', true, {}],
  [telegramRecords, 'telegram:welcomed:-7', true, 'yes'],
  [telegramRecords, 'telegram:working:7:telegram:9', working, { chat: -1, receiver: 7, media: false }],
  [webRecords, 'web:sessions', ['k'], [1], 'k'],
  [webRecords, 'web:session:k', { person: 'ann' }, { person: 7 }],
  [webRecords, 'web:media', [medium], [{ id: 'a' }], [{ ...medium, chunks: 1e9 }]],
  [webRecords, 'web:media:a:0', 'AAAA', { a: 1 }],
  [webRecords, 'web:room:lobby', ['m'], [{}]],
  [webRecords, 'web:message:lobby:m', message, { ...message, at: null }, { ...message, from: 7 }],
];

it.each(kinds.map(([rules, key, good, ...bad]) => ({ rules, key, good, bad })))(
  '$key: a record of this kind is accepted in its own shape only',
  ({ rules, key, good, bad }) => {
    expect(rules.isValid?.(key, good)).toBe(true);
    for (const value of bad) expect(rules.isValid?.(key, value)).toBe(false);
  },
);
