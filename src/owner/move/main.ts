import { readStoreKeys } from '../../config/config.ts';
import { passwordFormsIn } from '../../config/parse.ts';
import { storeUrl } from '../../config/setting-kinds.ts';
import { runTool, stopTool, toolOptions } from '../command-line.ts';
import { isTableSame, type MoveOutcome, moveStore } from './move-store.ts';

/**
 * `npm run store:move -- --from sqlite:./data/darkroom.sqlite --to postgres://…` moves the store of a stopped Darkroom. Exit
 * code 1: the copy differs; 2: the move was refused.
 */

const usage =
  'Usage: npm run store:move -- --from sqlite:./data/darkroom.sqlite --to postgres://user@host/database (the password in PGPASSWORD)';

function urlOf(option: string, text: string | undefined): string {
  const { data, error } = storeUrl.schema.safeParse(text);
  return (
    data ?? stopTool(`${option}: ${text === undefined ? 'missing' : error?.issues[0]?.message}\n${usage}`)
  );
}

function report({ outcome, tables }: MoveOutcome): readonly string[] {
  const rows = tables.map((each) => [
    each.table,
    String(each.source.records),
    String(each.target.records),
    each.source.checksum.slice(0, 16),
    each.target.checksum.slice(0, 16),
    isTableSame(each) ? 'the same' : 'NOT THE SAME',
  ]);
  const all = [['table', 'records', 'copied', 'checksum', 'of the copy', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ENDS[outcome]];
}

const ENDS: Readonly<Record<MoveOutcome['outcome'], string>> = {
  moved:
    'Moved. Set STORE_URL to the new store before the next start, and do not start on the old one again.',
  'moved before': 'Both hold the same already: nothing was changed.',
  'not the same': 'The copy was not the same and was undone: nothing was moved. Run the command again.',
};

const given = toolOptions({ from: { type: 'string' }, to: { type: 'string' } }, usage);
const from = urlOf('--from', given.from);
const to = urlOf('--to', given.to);
const secrets = [from, to].flatMap(passwordFormsIn);
async function move(
  { keys }: ReturnType<typeof readStoreKeys>,
  progress: (line: string) => void,
): Promise<void> {
  const moved = await moveStore({ from, to, keys, progress });
  for (const line of report(moved)) console.log(line);
  process.exitCode = moved.outcome === 'not the same' ? 1 : 0;
}
await runTool(process.env, readStoreKeys, move, { secrets });
