import { chownSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { backupTimeIn } from '../../tables/meta.ts';
import { backupNoteOf, realFile } from './store-file.ts';

/**
 * Notes beside a store when its last backup was begun. The store itself is not touched, because a backup only reads it while a
 * Darkroom may write to it.
 */
export function noteBackup(path: string, at: string): void {
  const file = realFile(path);
  const note = backupNoteOf(file);
  const part = `${note}.part`;
  writeFileSync(part, `${at}\n`, { mode: 0o600 });
  if (process.getuid?.() === 0) {
    // Darkroom reads the note as the user that it runs as.
    const { uid, gid } = statSync(file);
    chownSync(part, uid, gid);
  }
  renameSync(part, note);
}

/** When the last backup of a file was begun, in ms; undefined: none is known. */
export function readBackupTime(file: string): number | undefined {
  try {
    return backupTimeIn(readFileSync(backupNoteOf(realFile(file)), 'utf8'));
  } catch {
    return undefined;
  }
}
