// @module-tag slow
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Given } from '../../../src/command/option.ts';
import type { Job } from '../../../src/orchestrator/job/job.ts';
import { backUp } from '../../../src/owner/backup/back-up.ts';
import { restoreStore } from '../../../src/owner/restore/restore-store.ts';
import { PLATFORMS } from '../../../src/platforms/platforms.ts';
import { createTestCore } from '../../fakes/core.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';
import { createTestDatabase } from '../../fakes/postgres.ts';

/**
 * Stores of every released version, as its program left them when it was killed at work (scripts/store-fixture.ts): this version
 * opens them and serves what is in them.
 */

const stores = new URL('../../fixtures/stores/', import.meta.url).pathname;
const versions = readdirSync(stores).toSorted();
const KEY = Buffer.alloc(32, 7);
/** The version whose stores have the schema 3. */
const FIRST = '0.1.0';

const cast = z.object({ moderator: z.string(), member: z.string(), other: z.string() });
type Kind = 'plain' | 'encrypted' | 'postgres';

/** The people of the two communities of a store, one on Discord and one on Telegram. */
const peopleOf = (version: string, kind: Kind) => {
  const all = JSON.parse(readFileSync(join(stores, version, 'people.json'), 'utf8'));
  return z.array(cast).length(2).parse(all[kind]);
};
const unpacked = (version: string, name: string): Buffer =>
  gunzipSync(readFileSync(join(stores, version, `${name}.gz`)));

let folder: string;
let opened: AsyncDisposableStack;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'darkroom-released-'));
  opened = new AsyncDisposableStack();
  opened.defer(() => rmSync(folder, { recursive: true }));
});
afterEach(() => opened.disposeAsync());

/** Time that passes for stores without anybody waiting for it. */
let lateMs = 0;

async function open(url: string, keys: readonly Uint8Array[]) {
  const lines: string[] = [];
  const log = {
    info: (...said: readonly unknown[]) => void lines.push(String(said[1])),
    warn: () => undefined,
  };
  const { store, close } = await openStoreAt(url, keys, {
    machine: { wall: Date.now, passed: () => performance.now() + lateMs },
    log,
  });
  return { store: { ...store, close }, lines };
}

type OpenedStore = Awaited<ReturnType<typeof open>>['store'];
type Core = Awaited<ReturnType<typeof createTestCore>>;

/** What people say, and how the core answers them. */
const speakTo = (core: Core) => {
  let events = 0;
  return async (person: string, community: string, line: string, given: Given = {}): Promise<string> => {
    const [name, id = ''] = person.split(':');
    const platform = z.enum(PLATFORMS).parse(name);
    const [command = '', subcommand] = line.split(' ');
    const reply = await core.desk.command({
      caller: { platform, id, name: 'Ann', locale: 'en' },
      place: { platform, community, channel: community, direct: false },
      event: `event-${++events}`,
      command,
      given,
      ...(subcommand === undefined ? {} : { subcommand }),
    });
    return JSON.stringify(reply);
  };
};

/** The jobs and the credits of one community are as the released program left them. */
async function expectJobs(
  store: OpenedStore,
  { member, other }: z.infer<typeof cast>,
  ended: boolean,
): Promise<Job> {
  const jobs = await store.jobs.ofPerson(member, 10);
  const job = jobs[0] ?? expect.fail('no job');
  const waiting = ended ? 'uncertain' : 'waiting';
  const states = jobs.map(({ state }) => state);
  const statesOfOther = (await store.jobs.ofPerson(other, 10)).map(({ state }) => state);
  const used = await store.usage.person(job.day, job.place.community, member);

  expect(states.toSorted()).toEqual(['done', 'running', waiting].toSorted());
  expect(statesOfOther).toEqual(['cancelled']);
  expect(used.reserved + used.spent).toBe(3 * job.credits);
  expect(await store.usage.community(job.day, job.place.community)).toMatchObject({ people: 2 });
  return job;
}

/** What moderators have set in the community of this job is as it was, and commands work there. */
async function expectAnswers(
  core: Core,
  { moderator, member }: z.infer<typeof cast>,
  { place: { community, platform }, label }: Job,
): Promise<void> {
  const says = speakTo(core);

  expect(await says(moderator, community, 'settings show')).toMatch(/77.*forbidden|forbidden.*77/);
  await says(moderator, community, 'settings credits', { amount: 78 });
  expect(await says(moderator, community, 'settings show')).toMatch(/78/);

  expect(await says(moderator, community, 'alias list')).toContain('halloween');
  expect(await says(moderator, community, 'settings log')).toMatch(/halloween/);
  expect(await says(member, community, 'jobs')).toContain(label);

  const photo = { from: platform, ref: 'photo' };
  const again = await says(member, community, 'faceswap', { photo, filter: '3', gender: 'female' });
  expect(JSON.parse(again)).toMatchObject({ kind: 'card' });
}

/** `ended`: jobs that waited have ended, because the store was restored. */
async function expectServed(version: string, kind: Kind, url: string, ended = false): Promise<void> {
  const { store, lines } = await open(url, kind === 'plain' ? [] : [KEY]);
  const upgraded = /^brought the store up to date: from schema 3 to \d+, in \d+ ms$/;
  if (version === FIRST && !ended) expect(lines).toEqual([expect.stringMatching(upgraded)]);

  const core = await createTestCore({ store, isModerator: async () => true });
  opened.defer(core.close);
  for (const people of peopleOf(version, kind)) {
    const job = await expectJobs(store, people, ended);
    await expectAnswers(core, people, job);
  }

  // Until then the processes that had the jobs may be on their way back.
  lateMs += 60_000;
  const found = new Map<string, string>();
  for await (const { id, state } of store.jobs.abandoned()) found.set(id, state);
  for await (const { id, state } of store.jobs.abandoned()) found.set(id, state);

  expect([...found.values()].filter((state) => state === 'running')).toHaveLength(2);
  expect(store.damaged()).toBe(0);
  expect(core.errors).toEqual([]);
}

describe.each(versions)('a store of version %s', (version) => {
  it.each(['plain', 'encrypted'] as const)(
    'a store of a released version opens in a file, %s',
    async (kind) => {
      const path = join(folder, 'darkroom.sqlite');
      writeFileSync(path, unpacked(version, `${kind}.sqlite`));
      await expectServed(version, kind, `sqlite:${path}`);
    },
  );

  it('a store of a released version in a file is backed up as it is, and restored to this version', async () => {
    const path = join(folder, 'old.sqlite');
    writeFileSync(path, unpacked(version, 'encrypted.sqlite'));
    const file = join(folder, 'old.backup');
    const progress = () => undefined;
    await backUp({ url: `sqlite:${path}`, file, version, progress });
    const url = `sqlite:${join(folder, 'new.sqlite')}`;
    await restoreStore({ file, url, keys: [KEY], progress });

    await expectServed(version, 'encrypted', url, true);
  });

  // Version 0.1.0 had no PostgreSQL.
  const databases = existsSync(join(stores, version, 'postgres.sql.gz')) ? ['a database'] : [];
  it.each(databases)('a store of a released version opens in %s', { tags: ['postgres'] }, async () => {
    const database = opened.use(await createTestDatabase());
    await database.query(unpacked(version, 'postgres.sql').toString());
    await expectServed(version, 'postgres', database.url);
  });
});
