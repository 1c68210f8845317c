import { defined } from '../../base/defined.ts';
import { ConfigError, loadEnvFile, readConfig } from '../../config/config.ts';
import { createRedactor } from '../../log/redact.ts';
import { optionsOf } from '../command-line.ts';
import { type Check, checkOf, diagnosisOf, examine, malformedChecks, settingChecks } from './diagnose.ts';

/**
 * `npm run doctor [-- --json]`: a line for each check, with how to fix it, or one JSON document. Exit code 1: a check failed; 2: the
 * settings are malformed, or the arguments are wrong.
 */

const usage = 'Usage: npm run doctor [-- --json]';
const MARKS: Readonly<Record<Check['status'], string>> = { ok: '✔', warning: '!', failed: '✖', skipped: '–' };

let redact = createRedactor([]);

async function* checks(): AsyncGenerator<Check> {
  const { env, warnings } = loadEnvFile('.env', process.env);
  const config = readConfig(env);
  redact = createRedactor(config.secrets);
  yield* settingChecks([...warnings, ...config.warnings]);
  for await (const finding of examine(config)) yield checkOf(finding);
}

const redacted = ({ found, cure, ...check }: Check): Check => ({
  ...check,
  found: redact(found),
  ...defined({ cure: cure && redact(cure) }),
});

function say({ name, status, found, cure }: Check): void {
  console.log(`${MARKS[status]} ${name}: ${found}${cure === undefined ? '' : `\n    ${cure}`}`);
}

const isJson = optionsOf({ json: { type: 'boolean' } }, usage).json ?? false;
const all: Check[] = [];
function take(check: Check): void {
  all.push(redacted(check));
  if (!isJson) all.slice(-1).forEach(say);
}
let isMalformed = false;
try {
  for await (const check of checks()) take(check);
} catch (error) {
  isMalformed = error instanceof ConfigError;
  // The stack of an unexpected error could show secrets.
  const found = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown error';
  if (error instanceof ConfigError) malformedChecks(error).forEach(take);
  else take({ name: 'Doctor', status: 'failed', found, reason: 'unexpected error' });
}

const diagnosis = diagnosisOf(all, Date.now());
const wrong = all.filter(({ status }) => status === 'failed').length;
if (isJson) console.log(JSON.stringify(diagnosis, undefined, 2));
else
  console.log(
    wrong === 0 ? '\nAll checks passed.' : `\n${wrong} ${wrong === 1 ? 'check' : 'checks'} failed.`,
  );
process.exitCode = isMalformed ? 2 : wrong === 0 ? 0 : 1;
