import { defined } from '../../base/defined.ts';
import { version } from '../../base/version.ts';
import { ConfigError, mergeEnvFile, readConfig } from '../../config/config.ts';
import { createRedactor } from '../../log/redact.ts';
import { toolOptions } from '../command-line.ts';
import { type Check, examine } from './diagnose.ts';

/**
 * `npm run doctor [-- --json]` prints a line for each check, with the way to fix it, or one JSON document. Exit code 1: a
 * check failed; 2: the settings are malformed, or the arguments are wrong.
 */

const usage = 'Usage: npm run doctor [-- --json]';
const MARKS: Readonly<Record<Check['status'], string>> = { ok: '✔', warning: '!', failed: '✖', skipped: '–' };

let redact = createRedactor([]);
let isMalformed = false;

async function* checks(): AsyncGenerator<Check> {
  const name = 'Settings';
  try {
    const { env, warnings } = mergeEnvFile('.env', process.env);
    const config = readConfig(env);
    redact = createRedactor(config.secrets);
    for (const found of [...warnings, ...config.warnings]) yield { name, status: 'warning', found };
    yield { name, status: 'ok', found: 'valid' };
    yield* examine(config);
  } catch (error) {
    isMalformed = error instanceof ConfigError;
    // The stack of an unexpected error is left out, because it could show secrets.
    const found = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
    if (!(error instanceof ConfigError))
      return yield { name: 'Doctor', status: 'failed', found, reason: 'unexpected error' };
    for (const line of error.message.split('\n'))
      yield { name, status: 'failed', found: line, reason: 'malformed' };
  }
}

const isJson = toolOptions({ json: { type: 'boolean' } }, usage).json ?? false;
const all: Check[] = [];
for await (const { found, cure, ...check } of checks()) {
  const shown: Check = { ...check, found: redact(found), ...defined({ cure: cure && redact(cure) }) };
  all.push(shown);
  const how = shown.cure === undefined ? '' : `\n    ${shown.cure}`;
  if (!isJson) console.log(`${MARKS[shown.status]} ${shown.name}: ${shown.found}${how}`);
}

const wrong = all.filter(({ status }) => status === 'failed').length;
/** The worst status of all checks; a skipped check counts as fine. */
function worstStatus(): Check['status'] {
  if (wrong > 0) return 'failed';
  return all.some(({ status }) => status === 'warning') ? 'warning' : 'ok';
}

/** The last line for people. A warning is counted, because it may have scrolled away. */
function summary(): string {
  const warnings = all.filter(({ status }) => status === 'warning').length;
  if (wrong > 0) return `${wrong} ${wrong === 1 ? 'check' : 'checks'} failed.`;
  if (warnings > 0) return `No check failed; ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`;
  return 'All checks passed.';
}

const overall = worstStatus();
if (isJson)
  console.log(JSON.stringify({ version, at: new Date().toISOString(), overall, checks: all }, undefined, 2));
else console.log(`\n${summary()}`);
if (isMalformed) process.exitCode = 2;
else process.exitCode = wrong === 0 ? 0 : 1;
