import { readStoreConfig } from '../../config/config.ts';
import { openStoreToRead } from '../../store/store.ts';
import { createOutFile, runTool, stopTool, toolOptions } from '../command-line.ts';

/**
 * `npm run audit -- --since 2026-01-31 [--community discord:1] [--out audit.jsonl]` writes the audit trail as JSON lines to
 * standard output, or to a file that its owner alone can read.
 */

const usage = 'Usage: npm run audit -- --since 2026-01-31 [--community discord:123] [--out audit.jsonl]';

const options = {
  since: { type: 'string' },
  community: { type: 'string' },
  out: { type: 'string' },
} as const;
const { since = '1970-01-01', community, out } = toolOptions(options, usage);
const from = Date.parse(since);
if (Number.isNaN(from))
  stopTool(`--since must be a date or time such as 2026-01-31, not "${since}".\n${usage}`);

await runTool(process.env, readStoreConfig, async ({ url, keys }) => {
  const store = await openStoreToRead(url, keys);
  const file = out === undefined ? undefined : createOutFile(out);
  let count = 0;
  for await (const line of store.audit.since(from, community)) {
    (file ?? process.stdout).write(`${JSON.stringify({ ...line, at: new Date(line.at).toISOString() })}\n`);
    count += 1;
  }
  await store.close();
  if (file !== undefined) {
    file.close();
    console.log(`${out}: ${count} ${count === 1 ? 'line' : 'lines'}`);
  }
});
