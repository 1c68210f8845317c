import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Config, ConfigError, loadEnvFile, readConfig } from '../config/config.ts';
import type { Env } from '../config/settings.ts';
import { createRedactor } from '../log/redact.ts';
import { StoreError } from '../store/records/store-error.ts';

// Whoever reads the output may have seen enough: the work goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** Ends a tool that was called wrongly or cannot do its work. */
export function stop(line: string): never {
  console.error(line);
  return process.exit(2);
}

/** The options of a tool, or its usage. */
export function optionsOf<T extends ParseArgsOptionsConfig>(options: T, usage: string) {
  try {
    return parseArgs({ options }).values;
  } catch {
    return stop(usage);
  }
}

/** The one argument of a tool, or its usage. */
export function fileArgument(usage: string): string {
  try {
    const { positionals } = parseArgs({ allowPositionals: true });
    const [file] = positionals;
    return positionals.length === 1 && file !== undefined && file !== '' ? file : stop(usage);
  } catch {
    return stop(usage);
  }
}

/** Runs a tool with the settings. What the owner can fix ends it with a message; no line that is told has a secret. */
export async function runTool(
  env: Env,
  work: (config: Config, tell: (line: string) => void) => Promise<void>,
  { secrets = [], afterwards = '' }: { secrets?: readonly string[]; afterwards?: string } = {},
): Promise<void> {
  let redact = createRedactor(secrets);
  try {
    const config = readConfig(loadEnvFile('.env', env).env);
    redact = createRedactor([...secrets, ...config.secrets]);
    await work(config, (line) => console.error(redact(line)));
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StoreError) stop(redact(error.message) + afterwards);
    throw error;
  }
}
