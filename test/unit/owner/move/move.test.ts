// @module-tag slow
import { copyFileSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { isTableSame, type MoveOutcome, moveStore } from '../../../../src/owner/move/move-store.ts';
import { openStoreToRead } from '../../../../src/store/store.ts';
import { COPIED_TABLES } from '../../../../src/store/tables/copy.ts';
import { databaseForEach } from '../../../contract/store/suite/set-up.ts';
import {
  contentOf,
  createFolder,
  damage,
  KEY,
  opened,
  PLAIN_AND_ENCRYPTED,
} from '../../../fakes/full-store.ts';
import { OWNED } from '../../../fakes/story/cast.ts';

const { file, urlOf, fullStore } = createFolder();
const database = databaseForEach();

const move = (from: string, to: string, keys: readonly Uint8Array[] = []): Promise<MoveOutcome> =>
  moveStore({ from, to, keys, progress: () => undefined });

const refused = (work: Promise<unknown>, words: RegExp) => expect(work).rejects.toThrow(words);

const sums = ({ tables }: MoveOutcome) =>
  tables.map(({ table, target: { records, checksum } }) => ({ table, records, checksum }));

/** Columns that belong to one store alone, or are made from others or by the first start, so that a move does not copy them. */
const NOT_COPIED = [
  /^(migrations|members|pace|inbox_lanes)\.|^inbox\.holder$/,
  /^jobs\.member$/,
  /^slots\.per_person$/,
  /^acceptances\.seq$/,
];

describe('moving a store', { tags: ['postgres'] }, () => {
  it.each(PLAIN_AND_ENCRYPTED)(
    'a store that is $how is moved to a database and back, with all in it',
    async ({ keys }) => {
      const first = urlOf('first');
      const last = urlOf('last');

      fullStore('first', keys);
      const before = readFileSync(file('first'));
      const there = await move(first, database.url, keys);
      const back = await move(database.url, last, keys);

      expect(there.outcome).toBe('moved');
      expect(back.outcome).toBe('moved');
      expect([...there.tables, ...back.tables].every(isTableSame)).toBe(true);
      expect(sums(there).filter(({ records }) => records === 0)).toEqual([]);
      expect(sums(back)).toEqual(sums(there));
      expect(readFileSync(file('first')).equals(before)).toBe(true);

      const content = await contentOf(first, keys);
      expect(content.damaged).toBeGreaterThan(1);
      expect(await contentOf(last, keys)).toEqual(content);
      expect(await contentOf(database.url, keys)).toEqual(content);
    },
  );

  it('a store is moved from one schema to another, with half characters, which a file cannot hold', async () => {
    const one = `${database.url}?schema=one`;
    const two = `${database.url}?schema=two`;

    await move(fullStore('first'), one);
    const { store, close } = await opened(one);
    await store.keyv('faces', OWNED).set('half \ud800/discord:anna', 1);
    await close();

    expect(await move(one, two)).toMatchObject({ outcome: 'moved' });
    expect(await move(two, urlOf('last'))).toMatchObject({ outcome: 'moved' });

    const content = await contentOf(one);
    expect(await contentOf(two)).toEqual(content);
    expect(content.entries.faces).toContainEqual(['half \ud800/discord:anna', 1]);
  });

  it('a move reads what a killed process has left in the log of a file, and changes neither', async () => {
    const writing = await opened(urlOf('running'));

    await writing.store.keyv('cache').set('the last words', 1);
    for (const end of ['', '-wal']) copyFileSync(file(`running${end}`), file(`killed${end}`));
    await writing.close();
    const bytes = () => ['', '-wal'].map((end) => readFileSync(file(`killed${end}`)).toString('hex'));
    const before = bytes();

    expect(await move(urlOf('killed'), database.url)).toMatchObject({ outcome: 'moved' });
    expect(bytes()).toEqual(before);
    expect((await contentOf(database.url)).entries.cache).toEqual([['the last words', 1]]);
  });

  it('a move takes updates that nobody has handled along, and the numbers of handled ones', async () => {
    const entry = (id: number) => ({ id, lane: 'a', person: 'telegram:1', body: { text: `\0 ${id}` } });
    const first = await opened(urlOf('first'));
    await first.store.inbox.put([entry(1), entry(2)]);
    await first.store.inbox.claim(first.members.id(), 10);
    await first.store.inbox.settle(first.members.id(), [1], []);
    await first.close();

    await move(urlOf('first'), database.url);
    await move(database.url, urlOf('last'));

    for (const url of [database.url, urlOf('last')]) {
      const { store, members, close } = await opened(url);
      await store.inbox.put([entry(1), entry(2)]);
      expect(await store.inbox.claim(members.id(), 10)).toEqual([{ id: 2, body: entry(2).body, tries: 2 }]);
      await close();
    }
  });

  it('new records get higher numbers than all that were moved', async () => {
    fullStore('first');
    damage(file('first'), 'UPDATE erasures SET jobs = 5000, audit = 6000, entries = 7000');
    await move(urlOf('first'), database.url);
    const [row] = await database.query(`SELECT nextval('jobs_seq') AS jobs, nextval('audit_seq') AS audit,
      nextval('entries_seq') AS entries, nextval(pg_get_serial_sequence('acceptances', 'seq')) AS acceptances,
      nextval(pg_get_serial_sequence('damaged', 'seq')) AS damaged`);

    expect(row).toEqual({
      jobs: '5001',
      audit: '6001',
      entries: expect.stringMatching(/^\d{4,}$/),
      acceptances: expect.stringMatching(/^\d\d$/),
      damaged: '4',
    });
  });

  it('after a move the next process takes over what waits, runs and was taken', async () => {
    await move(fullStore('first', [KEY]), database.url, [KEY]);
    const taken = await database.query(
      "SELECT id FROM jobs WHERE state = 'waiting' AND slot = 1 AND held = 'submission'",
    );
    expect(taken).not.toEqual([]);

    const { store, close } = await opened(database.url, [KEY]);
    const found = [];
    for await (const job of store.jobs.abandoned()) found.push(job.state);
    const after =
      await database.query(`SELECT DISTINCT held, (state = 'waiting' AND slot = 1) AS waits_with_slot,
      state IN ('submitting', 'running') AND slot = 0 AS runs_without FROM jobs WHERE finished_at IS NULL`);
    const places = await Promise.all(taken.map(({ id }) => store.jobs.standing(String(id))));
    await close();

    expect(new Set(found)).toEqual(new Set(['opening', 'waiting', 'submitting', 'running', 'delivering']));
    expect(after).toEqual([{ held: null, waits_with_slot: false, runs_without: false }]);
    expect(places).toEqual(taken.map(() => ({ position: expect.any(Number), own: expect.any(Number) })));
  });

  it('a move that is run again says that it was done before', async () => {
    fullStore('first');
    const first = await move(urlOf('first'), database.url);
    expect(await move(urlOf('first'), database.url)).toEqual({ ...first, outcome: 'moved before' });

    await move(database.url, urlOf('last'));
    expect(await move(database.url, urlOf('last'))).toMatchObject({ outcome: 'moved before' });
  });

  it('a move accepts a database or file on which a Darkroom has only been started', async () => {
    fullStore('first', [KEY]);
    for (const url of [database.url, urlOf('last')]) {
      await (await opened(url)).close();
      expect(await move(urlOf('first'), url, [KEY])).toMatchObject({ outcome: 'moved' });
    }
    expect((await contentOf(database.url, [KEY])).encrypts).toBe(true);
  });

  it('a move refuses a target with other records, and leaves it as it is', async () => {
    fullStore('first');
    fullStore('other');
    damage(file('other'), 'UPDATE usage SET spent = spent + 1');
    await move(urlOf('other'), database.url);
    const before = await database.query('SELECT sum(spent) AS n FROM usage');
    const words = /holds other records already\. Name an empty database/;
    await refused(move(urlOf('first'), database.url), words);
    await refused(move(urlOf('first'), urlOf('other')), words);

    expect(await database.query('SELECT sum(spent) AS n FROM usage')).toEqual(before);
    expect(await database.query("SELECT FROM meta WHERE name = 'moving'")).toEqual([]);
  });

  it('a move is refused while a Darkroom works on either side', async () => {
    fullStore('first');
    const onFile = await opened(urlOf('first'));
    await refused(
      move(urlOf('first'), database.url),
      /A process works on the store .*first\. Stop Darkroom first/,
    );
    await onFile.close();
    const onDatabase = await opened(database.url);
    await refused(move(urlOf('first'), database.url), /1 process works on the store postgres:/);
    await refused(move(database.url, urlOf('last')), /1 process works on the store postgres:/);
    await onDatabase.close();
  });

  it('a move refuses a source or a target of another version', async () => {
    fullStore('first');
    const here = urlOf('first');
    const there = urlOf('last');
    damage(file('first'), 'INSERT INTO migrations VALUES (999, 0)');
    await refused(move(here, database.url), /\(--from\): it was written by a newer version/);
    damage(file('first'), 'DELETE FROM migrations WHERE version > 1');
    await refused(move(here, database.url), /\(--from\): it was created by an older version/);
    await (await opened(there)).close();
    await (await opened(database.url)).close();
    damage(file('last'), 'DELETE FROM migrations WHERE version > 1');
    await database.query('INSERT INTO migrations VALUES (999)');
    fullStore('good');
    await refused(move(urlOf('good'), there), /\(--to\): it was created by an older version/);
    await refused(move(urlOf('good'), database.url), /\(--to\): it was written by a newer/);
  });

  it('a move refuses what is no store, and a key that does not fit', async () => {
    await refused(move(urlOf('none'), database.url), /no store at .*none \(--from\)/);
    await refused(move(database.url, urlOf('none')), /no store at postgres:/);
    fullStore('first', [KEY]);
    await refused(move(urlOf('first'), database.url), /set STORE_KEY/);
    await refused(move(urlOf('first'), database.url, [Buffer.alloc(32, 8)]), /STORE_KEY is not the key/);

    expect(await database.query("SELECT FROM pg_tables WHERE tablename = 'jobs'")).toEqual([]);
    // A move between files opens no record, so it needs no key.
    expect(await move(urlOf('first'), urlOf('last'))).toMatchObject({ outcome: 'moved' });
  });

  const expectUnfinished = async (url: string): Promise<void> => {
    await refused(opened(url), /has not finished\. Run the same command again/);
    await refused(openStoreToRead(url, []), /has not finished/);
    await refused(move(url, urlOf('third')), /has not finished/);
  };

  it('a Darkroom does not start on a database that a move filled only in part', async () => {
    await (await opened(database.url)).close();

    await database.query("INSERT INTO meta VALUES ('moving', '')");

    await expectUnfinished(database.url);
  });

  it('a Darkroom does not start on a file that a move filled only in part', async () => {
    await (await opened(urlOf('last'))).close();

    damage(file('last'), "INSERT INTO meta VALUES ('moving', x'')");

    await expectUnfinished(urlOf('last'));
  });

  it('a move undoes a copy that is not the same', async () => {
    fullStore('first');
    await (await opened(database.url)).close();
    await database.query(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.spent := NEW.spent + 1; RETURN NEW; END $$`);
    await database.query('CREATE TRIGGER spoil BEFORE INSERT ON usage FOR EACH ROW EXECUTE FUNCTION spoil()');
    const moved = await move(urlOf('first'), database.url);

    expect(moved.outcome).toBe('not the same');
    expect(moved.tables.filter((each) => !isTableSame(each)).map(({ table }) => table)).toEqual(['usage']);
    expect(await database.query('SELECT count(*) AS n FROM jobs')).toEqual([{ n: '0' }]);
  });

  it('a move knows every table and every column of either store', async () => {
    fullStore('first');
    await (await opened(database.url)).close();
    const sql = new DatabaseSync(file('first'), { readOnly: true });
    const inFile = sql
      .prepare(
        "SELECT t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table'",
      )
      .all()
      .map(({ name }) => String(name));
    sql.close();
    const inDatabase = (
      await database.query(
        "SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public'",
      )
    ).map(({ name }) => String(name));
    const copied = COPIED_TABLES.flatMap(({ name, columns }) =>
      Object.keys(columns).map((column) => `${name}.${column}`),
    );
    const isOwn = (name: string): boolean => NOT_COPIED.some((pattern) => pattern.test(name));

    expect(inFile.filter((name) => !isOwn(name)).toSorted()).toEqual(copied.toSorted());
    expect(inDatabase.filter((name) => !isOwn(name)).toSorted()).toEqual(copied.toSorted());
  });
});
