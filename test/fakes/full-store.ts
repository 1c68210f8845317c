import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll } from 'vitest';
import { folderForEach } from '../temp-folder.ts';
import { openAt } from './story/place.ts';
import { readOut } from './story/read-out.ts';
import { BEGIN, END, playStory } from './story/story.ts';

/** The key of encrypted stores. */
export const KEY = Buffer.alloc(32, 7);
/** The ways to keep records, with their keys. */
export const PLAIN_AND_ENCRYPTED: readonly { readonly how: string; readonly keys: readonly Uint8Array[] }[] =
  [
    { how: 'plain', keys: [] },
    { how: 'encrypted', keys: [KEY] },
  ];

/** A file with everything that a store can hold (test/fakes/story), unreadable records included. */
async function fillStore(path: string, keys: readonly Uint8Array[]): Promise<void> {
  const time = { now: BEGIN };
  const opened = await openAt(`sqlite:${path}`, keys, time);
  await playStory(opened, time);
  for (const name of ['one', 'two']) await opened.store.keyv('cache').set(name, 'y\0'.repeat(60_000));
  await opened.close();
  // Other damaged records were set aside when they were read; this one is not read before it is moved.
  damage(path, "UPDATE jobs SET body = CAST(x'00ff' || substr(body, 3) AS BLOB) WHERE id = 'job-done'");
}

/** Changes a store’s file past the program, while it is closed. */
export function damage(path: string, text: string): void {
  const sql = new DatabaseSync(path, { timeout: 10_000 });
  sql.exec(text);
  sql.close();
}

/** A folder for each test, with full stores if it wants them: writing one takes hundreds of syncs to disk. */
export function createFolder() {
  let templates: string;
  const templateOf = (keys: readonly Uint8Array[]): string => join(templates, `${keys.length}`);
  beforeAll(async () => {
    templates = mkdtempSync(join(tmpdir(), 'darkroom-full-'));
    for (const { keys } of PLAIN_AND_ENCRYPTED) await fillStore(templateOf(keys), keys);
  });
  afterAll(() => rmSync(templates, { recursive: true }));
  const file = folderForEach();
  const urlOf = (name: string): string => `sqlite:${file(name)}`;
  const fullStore = (name: string, keys: readonly Uint8Array[] = []): string => {
    copyFileSync(templateOf(keys), file(name));
    return urlOf(name);
  };
  return { file, urlOf, fullStore };
}

/** Opens a full store as a program would that starts after the story’s end. */
export const opened = (
  url: string,
  keys: readonly Uint8Array[] = [],
  replaced: () => void = () => undefined,
) => openAt(url, keys, { now: END }, replaced);

/** Everything of a store that the program sees. */
export async function contentOf(url: string, keys: readonly Uint8Array[] = []) {
  const { store, close } = await opened(url, keys);
  try {
    return { ...(await readOut(store, url, keys)), encrypts: store.encrypts };
  } finally {
    await close();
  }
}
