/**
 * `/settings stats` of a community with 100,000 jobs in 30 days: 11 kinds in every hour, 100 filters on every day, 2,000 people
 * on every day. Read: the tallies and the people, from the store. Laid out: in the main thread. Drawn: in a decoder process that
 * runs already.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { chartOf } from '../../src/app/ports/stats-port.ts';
import { systemClock as clock, machineTime } from '../../src/base/clock.ts';
import { createCommunityStats } from '../../src/community/stats/community-stats.ts';
import { layOutChart } from '../../src/picture/chart.ts';
import { createDecoder } from '../../src/picture/decoder.ts';
import type { Store } from '../../src/store/tables/store.ts';
import { hourOf } from '../../src/store/tables/tallies.ts';
import { wordsFor } from '../../src/words/words.ts';
import { openStoreAt } from '../fakes/open-store-at.ts';
import { createTestDatabase, postgresUrl } from '../fakes/postgres.ts';

const community = 'discord:1';
const days = 30;
const hours = days * 24;
const perDay = 3_334;
const people = 2_000;
const rounds = 9;
const now = clock.now();

const median = (values: readonly number[]): string =>
  (values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN).toFixed(1);

type Insert = (sql: string, values: readonly (string | number)[]) => unknown;

const kinds = [
  ...[
    'face-swap-v6',
    'face-swap-v5',
    'face-swap-v1',
    'self-prompt',
    'multi-swap-realistic',
    'multi-swap-stylized',
  ],
  ...['multi-swap-realistic-prompt', 'multi-swap-stylized-prompt', 'multi-swap-classic'],
  ...['single-frame-video', 'first-last-frame-video'],
];

async function fill(insert: Insert): Promise<void> {
  const tally = 'INSERT INTO tallies (community, what, hour, name, count, credits) VALUES ';
  const first = hourOf(now) - hours + 1;
  for (let hour = first; hour < first + hours; hour += 1) {
    for (const kind of kinds)
      await insert(tally, [community, 'job', hour, kind, Math.round(perDay / 24 / kinds.length), 30]);
    for (const code of ['generation-failed', 'cancelled', 'photo-invalid'])
      await insert(tally, [community, 'end', hour, code, 2, 4]);
    if (hour % 24 === 0)
      for (let filter = 0; filter < 100; filter += 1)
        await insert(tally, [community, 'filter', hour, `face:${filter}`, 33, 66]);
  }
  const usage = 'INSERT INTO usage (day, community, person, reserved, spent, jobs) VALUES ';
  for (let day = 0; day < days; day += 1) {
    const date = new Date(now - day * 86_400_000).toISOString().slice(0, 10);
    for (let person = 0; person < people; person += 1)
      await insert(usage, [date, community, `discord:${day * 500 + person}`, 0, 4, 2]);
  }
}

const decoder = createDecoder({ clock });

async function measure(name: string, store: Store): Promise<void> {
  const [read, laidOut, drawn, blocked]: number[][] = [[], [], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const statsOf = createCommunityStats({
      tallies: store.tallies,
      peopleOn: store.usage.peopleOn,
      idsOf: async (id) => [id],
      timeZoneOf: async () => 'Europe/Berlin',
      aliasesOf: async () => [],
      catalogs: { peek: () => [] },
      clock,
    });
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    const stats = await statsOf(community);
    const after = performance.now();
    const composition = layOutChart(chartOf(stats, wordsFor('en')));
    const ready = performance.now();
    blocked?.push((process.cpuUsage(cpu).user + process.cpuUsage(cpu).system) / 1_000);
    const bytes = await decoder.compose(composition, 'bench');
    drawn?.push(performance.now() - ready);
    read?.push(after - begun);
    laidOut?.push(ready - after);
    if (round === 0) console.log(name, stats.commands[0], stats.people, 'people', bytes.byteLength, 'bytes');
  }
  console.log(
    `${name}: read ${median(read ?? [])} ms, laid out ${median(laidOut ?? [])} ms, drawn ${median(drawn ?? [])} ms; CPU of this process ${median(blocked ?? [])} ms`,
  );
}

const open = (url: string) => openStoreAt(url, [], { now: clock.now, machine: machineTime });

const folder = mkdtempSync(join(tmpdir(), 'darkroom-stats-'));
const path = join(folder, 'store.sqlite');
const file = await open(`sqlite:${path}`);
const sql = new DatabaseSync(path);
sql.exec('BEGIN');
await fill((text, values) => {
  sql.prepare(`${text}(${values.map(() => '?').join()})`).run(...values);
});
sql.exec('COMMIT');
sql.close();
await measure('SQLite', file.store);
await file.close();
rmSync(folder, { recursive: true });

if (postgresUrl !== undefined) {
  await using database = await createTestDatabase();
  const { store, close } = await open(database.url);
  await fill((text, values) =>
    database.query(`${text}(${values.map((_, index) => `$${index + 1}`).join()})`, [...values]),
  );
  await measure('PostgreSQL', store);
  await close();
}
decoder.close();
