import dns, { type LookupAddress, type LookupOptions } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, expect } from 'vitest';

/**
 * The same examples in every run, so that a red run means a change and not a throw of the dice. To explore others:
 * FC_SEED=random npm test (a failure prints its seed).
 */
const seed = process.env.FC_SEED ?? '20261115';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

// Node's own HTTP client is loaded before the copy among the dependencies, as it is in the program: the first of them
// answers for discord.js, and the copy refuses Node's forms.
export const loaded = new FormData();

type Found = (error: Error | null, addresses?: string | LookupAddress[], family?: number) => void;

/** Names mean the same on every machine: only `localhost` exists, and the server of POSTGRES_URL. */
const systemLookup = dns.lookup;
function testLookup(name: string, options: LookupOptions, found: Found): void {
  if (name === 'localhost')
    process.nextTick(() =>
      options.all ? found(null, [{ address: '127.0.0.1', family: 4 }]) : found(null, '127.0.0.1', 4),
    );
  else if (isIP(name) > 0 || process.env.POSTGRES_URL?.includes(name)) systemLookup(name, options, found);
  else {
    const fault = { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: name };
    process.nextTick(() => found(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), fault)));
  }
}
// Test files of one worker share it.
if (systemLookup.name !== testLookup.name) {
  Object.assign(dns, { lookup: testLookup });
  syncBuiltinESMExports();
}

if (process.env.RECORD_REQUESTS !== undefined) {
  // Only tests whose requests are recorded load this module.
  const { recordUnder } = await import('./fakes/record-requests.ts');
  const file = expect.getState().testPath ?? '';
  recordUnder(file, undefined);
  beforeEach(({ task }) => recordUnder(file, task.fullTestName));
  afterEach(() => recordUnder(file, undefined));
}
