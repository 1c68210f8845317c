import { parseEnv } from 'node:util';
import { editDistance } from '../base/edit-distance.ts';
import { NamedFileError, readNamedFile } from './named-file.ts';
import { ConfigError, type Env, fileNameOf, secretNames, settingNames } from './settings.ts';

const KNOWN_NAMES = [...settingNames, ...secretNames.map(fileNameOf)];

const MOST_BYTES = 1_000_000;

/** Merges the settings of a `.env` file and of the environment, which takes precedence. */
export function mergeEnvFile(path: string, env: Env): { env: Env; warnings: readonly string[] } {
  const text = readEnvFileText(path);
  if (text === undefined) return { env, warnings: [] };
  const fromFile = parseEnv(text);
  const unknown = Object.keys(fromFile)
    .filter((name) => !KNOWN_NAMES.includes(name))
    .map((name) => `${path}: ${shown(name)} is not a setting; did you mean ${nearest(name, KNOWN_NAMES)}?`);
  const ignored = linesWithoutName(text).map(
    (line) => `${path}: line ${line} is not NAME=value and has no effect.`,
  );
  return { env: { ...fromFile, ...env }, warnings: [...unknown, ...ignored] };
}

/** Reads the text of a `.env` file; undefined if there is no such file. */
export function readEnvFileText(path: string): string | undefined {
  try {
    // A byte order mark is removed, because it would become part of the first name.
    return readNamedFile(path, MOST_BYTES)
      .toString()
      .replace(/^\ufeff/, '');
  } catch (error) {
    if (!(error instanceof NamedFileError)) throw error;
    if (error.isMissing) return undefined;
    throw new ConfigError(
      `${path}: cannot be read (${error.message}). Make it a file that this user may read, or remove it.`,
    );
  }
}

/**
 * The numbers of lines without `=`, such as `DISCORD_TOKEN: abc`, which would be dropped silently. A quoted value may span
 * several lines.
 */
function linesWithoutName(text: string): readonly number[] {
  const plain = text.replaceAll(
    /=[ \t]*(["'`])[\s\S]*?\1/g,
    (quoted) => `=${quoted.replaceAll(/[^\n]/g, '')}`,
  );
  return plain.split('\n').flatMap((line, index) => (/^\s*(#|$)|=/.test(line) ? [] : [index + 1]));
}

/** A name for an error message: in a malformed line it may be part of a secret, so only short plain names are shown. */
const shown = (name: string): string =>
  /^\w{1,50}$/.test(name) ? name : `a name of ${name.length} characters`;

/** A distance limit that is longer than any setting's name. */
const LONGEST_NAME = 100;

/** The candidate with the least edit distance to `name`. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toUpperCase();
  const distances = candidates.map((candidate) => editDistance(wanted, candidate, LONGEST_NAME));
  return candidates[distances.indexOf(Math.min(...distances))];
}
