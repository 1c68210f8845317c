/**
 * `node scripts/compare-requests.ts BEFORE… AFTER` compares the requests of tests to the fakes, as recorded with
 * `RECORD_REQUESTS=FOLDER npx vitest run --project fast test/e2e`, as a multiset for each test. A request that came during
 * another test of the same file is no difference. Requests whose number differs among several BEFORE folders depend on
 * timing: tests with such requests are listed apart, and only a request that always came before and is missing now is a
 * difference.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { REPEATED } from '../test/fakes/record-requests.ts';

const lineShape = z.object({ test: z.string(), request: z.string() });
/** The number of times that each request was made, by file and by test. */
type Recording = ReadonlyMap<string, ReadonlyMap<string, number>>;

const SHOWN = 300;
const separator = ' > ';
const fileOf = (name: string): string => name.split(separator, 1).join();

/** Sorts the fields of a request, whose order means nothing to the service. */
function inOrder(request: string): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? value
      : Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return JSON.stringify(JSON.parse(request), sorted);
}

function read(folder: string): Recording {
  const all = new Map<string, Map<string, number>>();
  const count = (name: string, request: string, isOnce: boolean): void => {
    const counts = all.get(name) ?? new Map<string, number>();
    counts.set(request, isOnce ? 1 : (counts.get(request) ?? 0) + 1);
    all.set(name, counts);
  };
  for (const entry of readdirSync(folder).toSorted()) {
    const file = entry.replace(/\.jsonl$/, '');
    for (const text of readFileSync(join(folder, entry), 'utf8').trim().split('\n')) {
      const { test, request: made } = lineShape.parse(JSON.parse(text));
      const request = inOrder(made);
      for (const name of [file, `${file}${separator}${test}`]) count(name, request, test === REPEATED);
    }
  }
  return all;
}

const recordings = process.argv.slice(2).map(read);
const after = recordings.pop();

if (after === undefined || recordings.length === 0)
  throw new Error('Usage: node scripts/compare-requests.ts BEFORE… AFTER');

/** Compares how often one request was made before and after. */
function compared(name: string, request: string) {
  const before = recordings.map((recording) => recording.get(name)?.get(request) ?? 0);
  const now = after?.get(name)?.get(request) ?? 0;
  const isStable = before.every((count) => count === before[0]);
  const isSame = isStable ? now === before[0] : now > 0 || before.includes(0);
  return { isStable, isSame, shown: `  ${before.join(', ')} → ${now}: ${request.slice(0, SHOWN)}` };
}

const names = new Set([...recordings, after].flatMap((recording) => [...recording.keys()]));
const tests = [...names].filter((name) => name.includes(separator)).toSorted();
const unstable: string[] = [];
const different: string[] = [];
let requests = 0;

for (const name of tests) {
  const known = new Set(
    [...recordings, after].flatMap((recording) => [...(recording.get(name)?.keys() ?? [])]),
  );
  const results = [...known].map((request) => {
    const inTest = compared(name, request);
    const inFile = compared(fileOf(name), request);
    return {
      ...inTest,
      isStable: inTest.isStable || inFile.isStable,
      isSame: inTest.isSame || inFile.isSame,
    };
  });
  for (const count of after.get(name)?.values() ?? []) requests += count;
  if (results.some(({ isStable }) => !isStable)) unstable.push(name);
  const differences = results.filter(({ isSame }) => !isSame).map(({ shown }) => shown);
  if (differences.length > 0) different.push([name, ...differences].join('\n'));
}

console.log([`unstable before: ${unstable.length}`, ...unstable].join('\n  '));
console.log([`different: ${different.length}`, ...different].join('\n'));
console.log(`${tests.length} tests with ${requests} requests`);
process.exitCode = different.length > 0 ? 1 : 0;
