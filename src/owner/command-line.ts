import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Config, ConfigError, loadEnvFile, readConfig } from '../config/config.ts';
import type { Env } from '../config/settings.ts';
import { createRedactor } from '../log/redact.ts';
import { StoreError } from '../store/records/store-error.ts';
import { aboutFile } from './file-error.ts';

// The reader may close the output early, such as `head`: the work goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** Ends a tool that was called wrongly or cannot do its work. */
export function stop(line: string): never {
  console.error(line);
  return process.exit(2);
}

function parse<T extends ParseArgsConfig>(config: T, usage: string) {
  try {
    return parseArgs(config);
  } catch {
    return stop(usage);
  }
}

/** The options of a tool, or its usage. */
export const optionsOf = <T extends ParseArgsOptionsConfig>(options: T, usage: string) =>
  parse({ options }, usage).values;

/** The one argument of a tool, or its usage. */
export function fileArgument(usage: string): string {
  const [file, ...more] = parse({ allowPositionals: true }, usage).positionals;
  return file && more.length === 0 ? file : stop(usage);
}

/** The file of `--out`, which its owner alone can read. Neither follows a link nor overwrites. */
export function createOut(path: string) {
  const attempt = <T>(work: () => T, undo = (): void => undefined): T => {
    try {
      return work();
    } catch (error) {
      undo();
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
        stop(`--out: ${path} exists already, and is not overwritten. Name another file.`);
      const failed = `--out: ${path} cannot be written`;
      return stop(aboutFile(failed, error)?.message ?? `${failed}.`);
    }
  };
  const file = attempt(() => openSync(path, 'wx', 0o600));
  return {
    write: (text: string): void =>
      attempt(
        () => writeFileSync(file, text),
        () => rmSync(path, { force: true }),
      ),
    close: (): void => closeSync(file),
  };
}

/** Runs a tool with the settings. What the owner can fix ends it with a message; secrets are removed from its lines. */
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
