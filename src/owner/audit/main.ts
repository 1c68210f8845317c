import { parseArgs } from 'node:util';
import { ConfigError, loadEnvFile, readConfig } from '../../config.ts';
import { openStore, StoreError } from '../../store/store.ts';

/** `npm run audit -- --since 2026-01-31 [--community discord:1]`: the audit trail as JSON lines on standard output. */

const usage = 'Usage: npm run audit -- --since 2026-01-31 [--community discord:123]';

const stop = (line: string): never => {
  console.error(line);
  process.exit(2);
};

const read = () => {
  try {
    return parseArgs({ options: { since: { type: 'string' }, community: { type: 'string' } } }).values;
  } catch {
    return stop(usage);
  }
};

const { since = '1970-01-01', community } = read();
const from = Date.parse(since);
if (Number.isNaN(from))
  stop(`--since is a day or a time such as 2026-01-31; "${since}" is neither.\n${usage}`);

try {
  const { store: settings } = readConfig(loadEnvFile('.env', process.env).env);
  if (settings.url.kind !== 'sqlite') stop('STORE_URL: redis:// is not available in this version.');
  else {
    const store = openStore({ path: settings.url.path, keys: settings.keys });
    for (const line of store.audit.since(from, community)) {
      process.stdout.write(`${JSON.stringify({ ...line, at: new Date(line.at).toISOString() })}\n`);
    }
    store.close();
  }
} catch (error) {
  if (error instanceof ConfigError || error instanceof StoreError) stop(error.message);
  throw error;
}
