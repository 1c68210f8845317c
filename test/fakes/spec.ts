import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The platforms' official descriptions are not part of this project. Where `DARKROOM_SPECS` names a folder that
 * holds them, the fakes check every request that they receive against them.
 */
const readSpec = (file: string): unknown => {
  const folder = process.env.DARKROOM_SPECS;
  if (folder === undefined) return undefined;
  const path = join(folder, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
};

/** Makes something of a description, once for all fakes; undefined: the description is not on this machine. */
export const fromSpec = <T>(file: string, make: (spec: unknown) => T): (() => T | undefined) => {
  let made: { readonly of: T | undefined } | undefined;
  return () => {
    if (made === undefined) {
      const spec = readSpec(file);
      made = { of: spec === undefined ? undefined : make(spec) };
    }
    return made.of;
  };
};
