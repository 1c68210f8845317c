import { ConfigError, loadEnvFile, readConfig, secretsOf } from '../../config/config.ts';
import { createRedactor } from '../../log/redact.ts';
import { examine } from './checks.ts';

/** `npm run doctor`: a line for each check, with how to fix it; exit code 1 when one failed. */
async function run(): Promise<number> {
  const { env, warnings } = loadEnvFile('.env', process.env);
  const config = readConfig(env);
  const redact = createRedactor(secretsOf(config));
  const say = (text: string): void => console.log(redact(text));

  for (const warning of [...warnings, ...config.warnings]) say(`! ${warning}`);
  say('✔ Settings: valid');
  let wrong = 0;
  for await (const { name, ok, detail, cure } of examine(config)) {
    say(`${ok ? '✔' : '✖'} ${name}: ${detail}`);
    if (ok) continue;
    wrong += 1;
    if (cure !== undefined) say(`    ${cure}`);
  }
  say(wrong === 0 ? '\nAll checks passed.' : `\n${wrong} ${wrong === 1 ? 'check' : 'checks'} failed.`);
  return wrong === 0 ? 0 : 1;
}

process.exitCode = await run().catch((error: unknown) => {
  if (!(error instanceof ConfigError)) throw error;
  console.log(`✖ Settings:\n${error.message}`);
  return 1;
});
