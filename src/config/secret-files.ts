import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { NamedFileError, readNamedFile } from './named-file.ts';
import { aboutSetting, type Env, fileNameOf, secretNames } from './settings.ts';

/** Size limit of the file of a secret; no secret is nearly as long. */
const MOST_BYTES = 65_536;

/** Reads the secrets among these settings that are given as `NAME_FILE`, the path of a file that holds one. */
export function readSecretFiles(env: Env, names: readonly string[]) {
  const values = new Map<string, string>();
  /** One line for each file that cannot be used. */
  const problems: string[] = [];
  for (const name of secretNames.filter((secret) => names.includes(secret))) {
    const path = env[fileNameOf(name)]?.trim();
    if (!path) continue;
    try {
      if (env[name]?.trim()) throw new NamedFileError(`${name} is given as well`);
      values.set(name, readSecret(path));
    } catch (error) {
      if (!(error instanceof NamedFileError)) throw error;
      const allowed = `the path of a file that holds ${aboutSetting(name).allowed}, instead of ${name}`;
      problems.push(
        `${fileNameOf(name)}: ${shown(path)} is not valid (${error.message}). Allowed: ${allowed}.`,
      );
    }
  }
  return { values, problems };
}

/** Reads a secret from its file. Throws a `NamedFileError` that says what is wrong, without the text. */
function readSecret(path: string): string {
  const text = decode(readNamedFile(path, MOST_BYTES)).replace(/\r?\n$/, '');
  if (text.trim() === '') throw new NamedFileError('the file is empty');
  if (/[\r\n]/.test(text)) throw new NamedFileError('the file has more than one line');
  return text;
}

function decode(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {
    // Text that is not UTF-8 is refused with the error below.
  }
  throw new NamedFileError('the file holds no text');
}

/**
 * A path for an error message: the secret itself may have been given by mistake, so only a text that leads to a place on this
 * machine is shown.
 */
function shown(path: string): string {
  const folder = dirname(resolve(path));
  const isPath = /^\.{0,2}\//.test(path) && dirname(folder) !== folder && exists(folder);
  return path.length <= 500 && (isPath || exists(path))
    ? JSON.stringify(path)
    : `a path of ${path.length} characters (not shown: nothing is there)`;
}

const exists = (path: string): boolean => !path.includes('\0') && existsSync(path);
