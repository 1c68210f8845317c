import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ConfigError, mergeEnvFile } from '../config/config.ts';
import type { Env } from '../config/settings.ts';
import { createRedactor } from '../log/redact.ts';
import { StoreError } from '../store/records/store-error.ts';
import { fileErrorForOwner } from './file-error.ts';

// The errors of the output are ignored, because a reader such as `head` may close it early, and the work must go on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

/** Prints a line and ends a tool that was called wrongly or cannot do its work. */
export function stopTool(line: string): never {
  console.error(line);
  return process.exit(2);
}

function parse<T extends ParseArgsConfig>(config: T, usage: string) {
  try {
    return parseArgs(config);
  } catch {
    return stopTool(usage);
  }
}

/** Reads the options of a tool, or ends it with its usage. */
export const toolOptions = <T extends ParseArgsOptionsConfig>(options: T, usage: string) =>
  parse({ options }, usage).values;

/** Reads the single argument of a tool, or ends it with its usage. */
export function fileArgument(usage: string): string {
  const [file, ...more] = parse({ allowPositionals: true }, usage).positionals;
  return file && more.length === 0 ? file : stopTool(usage);
}

/** Creates the file of `--out`, which its owner alone can read; neither follows a link nor overwrites a file. */
export function createOutFile(path: string) {
  const attempt = <T>(work: () => T, undo = (): void => undefined): T => {
    try {
      return work();
    } catch (error) {
      undo();
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST')
        stopTool(`--out: ${path} exists already, and is not overwritten. Name another file.`);
      const failed = `--out: ${path} cannot be written`;
      return stopTool(fileErrorForOwner(failed, error)?.message ?? `${failed}.`);
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

/**
 * Runs a tool with the settings that `read` takes from the environment. An error that the owner can correct ends the tool
 * with its message; secrets are removed from all that it prints.
 */
export async function runTool<Settings extends { readonly secrets: readonly string[] }>(
  env: Env,
  read: (env: Env) => Settings,
  work: (settings: Settings, tell: (line: string) => void) => Promise<void>,
  { secrets = [], afterwards = '' }: { secrets?: readonly string[]; afterwards?: string } = {},
): Promise<void> {
  let redact = createRedactor(secrets);
  try {
    const settings = read(mergeEnvFile('.env', env).env);
    redact = createRedactor([...secrets, ...settings.secrets]);
    await work(settings, (line) => console.error(redact(line)));
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StoreError)
      stopTool(redact(error.message) + afterwards);
    throw error;
  }
}
