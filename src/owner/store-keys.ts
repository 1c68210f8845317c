import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/**
 * The keys with which a tool may open the store. One that was set for a store without a key takes effect at the next
 * start: encrypted by a tool, it would be unreadable to the Darkroom that is running on it.
 */
export const keysForTools = (path: string, keys: readonly Buffer[]): readonly Buffer[] =>
  keys.length > 0 && existsSync(path) && isPlain(path) ? [] : keys;

function isPlain(path: string): boolean {
  let file: DatabaseSync | undefined;
  try {
    file = new DatabaseSync(path, { readOnly: true });
    const kept = file.prepare("SELECT value FROM meta WHERE name = 'blinding'").get();
    return kept !== undefined && !(kept.value instanceof Uint8Array);
  } catch {
    // Whoever opens it next says what is wrong with it.
    return false;
  } finally {
    file?.close();
  }
}
