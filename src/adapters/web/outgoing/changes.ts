import { randomBytes } from 'node:crypto';
import type { Message } from './message.ts';

/** One change of a message, with its number in the event stream. */
export interface Change {
  readonly seq: number;
  readonly message: Message;
  readonly gone: boolean;
  /** The message before the change, which other people may have seen. */
  readonly before?: Message;
}

const MOST_KEPT = 1_000;

/** Publishes changes to listeners, and keeps the latest for pages that reconnect. */
export function createChanges() {
  const kept: Change[] = [];
  const listeners = new Set<(change: Change) => void>();
  let seq = 0;
  return {
    /** The id of this process, because the sequence numbers of another one are invalid. */
    boot: randomBytes(6).toString('hex'),
    publish(change: Omit<Change, 'seq'>): void {
      seq += 1;
      const numbered = { ...change, seq };
      kept.push(numbered);
      if (kept.length > MOST_KEPT) kept.splice(0, kept.length - MOST_KEPT);
      for (const listener of listeners) listener(numbered);
    },
    last: () => seq,
    /** The changes after this number; undefined if some of them are no longer kept. */
    since(from: number): readonly Change[] | undefined {
      if (from > seq || from < seq - kept.length) return undefined;
      return kept.filter((change) => change.seq > from);
    },
    listen(listener: (change: Change) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
