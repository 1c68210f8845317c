import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { openStoreToRead } from '../../store/store.ts';
import { optionsOf, runTool, stop } from '../command-line.ts';
import { aboutFile } from '../file-error.ts';

/**
 * `npm run audit -- --since 2026-01-31 [--community discord:1] [--out audit.jsonl]`: the audit trail as JSON lines, on
 * standard output or in a file that its owner alone can read.
 */

const usage = 'Usage: npm run audit -- --since 2026-01-31 [--community discord:123] [--out audit.jsonl]';

/** Neither follows a link nor overwrites. */
function openOut(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
      stop(`--out: ${path} exists already, and is not overwritten. Name another file.`);
    return stop(wordsOf(path, error));
  }
}

const wordsOf = (path: string, error: unknown): string =>
  aboutFile(`--out: ${path} cannot be written`, error)?.message ?? `--out: ${path} cannot be written.`;

function writeOut(path: string, file: number, line: string): void {
  try {
    writeFileSync(file, line);
  } catch (error) {
    rmSync(path, { force: true });
    stop(wordsOf(path, error));
  }
}

const options = {
  since: { type: 'string' },
  community: { type: 'string' },
  out: { type: 'string' },
} as const;
const { since = '1970-01-01', community, out } = optionsOf(options, usage);
const from = Date.parse(since);
if (Number.isNaN(from)) stop(`--since must be a date or time such as 2026-01-31, not "${since}".\n${usage}`);

await runTool(process.env, async ({ store: settings }) => {
  const store = await openStoreToRead(settings.url, settings.keys);
  const file = out === undefined ? undefined : openOut(out);
  const write = (line: string): void =>
    out === undefined || file === undefined ? void process.stdout.write(line) : writeOut(out, file, line);
  let count = 0;
  for await (const line of store.audit.since(from, community)) {
    write(`${JSON.stringify({ ...line, at: new Date(line.at).toISOString() })}\n`);
    count += 1;
  }
  await store.close();
  if (file !== undefined) {
    closeSync(file);
    console.log(`${out}: ${count} ${count === 1 ? 'line' : 'lines'}`);
  }
});
