/** `npm run conformance -- --url … --key … --token …` runs the contract suite against any generation service. */
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const usage = 'Usage: npm run conformance -- --url URL --key KEY --token TOKEN [--key-header NAME]';

function readOptions() {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ options: { url: text, key: text, token: text, 'key-header': text } });
    return values;
  } catch (error) {
    return { mistake: error instanceof Error ? error.message : String(error) };
  }
}

const options = readOptions();

if ('mistake' in options || !options.url || !options.key || !options.token || !URL.canParse(options.url)) {
  if ('mistake' in options) console.error(options.mistake);
  console.error(usage);
  process.exit(2);
}

process.env.CONFORMANCE_URL = options.url;
process.env.CONFORMANCE_KEY = options.key;
process.env.CONFORMANCE_TOKEN = options.token;
if (options['key-header'] !== undefined) process.env.CONFORMANCE_KEY_HEADER = options['key-header'];

console.log(
  `Against ${options.url}. Tests marked "embedded service only" are skipped: they need scripting.\n`,
);

// The files run one after the other, because a real service has rate limits of its own.
const vitest = await startVitest('test', ['test/contract/generation'], {
  run: true,
  watch: false,
  fileParallelism: false,
  reporters: ['verbose'],
});

await vitest.close();
