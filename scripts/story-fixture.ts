/**
 * `node scripts/story-fixture.ts` makes test/fixtures/story: stores with records of all kinds (test/fakes/story) as
 * this version leaves them, and its answers to questions about them. Needs POSTGRES_URL and POSTGRES_BIN, the folder of
 * pg_dump.
 */
import { deepStrictEqual } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { SCHEMA_VERSION as postgresSchema } from '../src/store/postgres/database/schema.ts';
import { SCHEMA_VERSION as sqliteSchema } from '../src/store/sqlite/file/schema.ts';
import { createPlace, DATABASES, fixtureOf, KEYS, openAt } from '../test/fakes/story/place.ts';
import { type Said, saidOf } from '../test/fakes/story/said.ts';
import { BEGIN, playStory } from '../test/fakes/story/story.ts';

const schemas = `schemas-${sqliteSchema}-${postgresSchema}`;
mkdirSync(fixtureOf(schemas, ''), { recursive: true });
let first: Said | undefined;

for (const database of DATABASES)
  for (const [name, keys] of Object.entries(KEYS)) {
    await using place = await createPlace(database);
    const time = { now: BEGIN };
    const opened = await openAt(place.url, keys, time);
    await playStory(opened, time);
    const kept = await place.keep();
    await opened.close();
    await using other = await createPlace(database);
    await other.load(kept);
    const said = await saidOf(other, keys);
    first ??= said;
    deepStrictEqual(said, first, `${database}, ${name}`);
    writeFileSync(fixtureOf(schemas, `${database}-${name}.gz`), kept);
    writeFileSync(fixtureOf(schemas, 'said.json.gz'), gzipSync(JSON.stringify(said), { level: 9 }));
  }
