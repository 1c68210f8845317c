import { randomBytes } from 'node:crypto';
import type { Message } from './message.ts';

/** A numbered change of a message. */
export interface Change {
  readonly seq: number;
  readonly message: Message;
  readonly gone: boolean;
  /** The message before, which other people may have seen. */
  readonly before?: Pick<Message, 'room' | 'only'>;
}

export interface Changes {
  /** Identifies this process: sequence numbers of another one are invalid. */
  readonly boot: string;
  publish(change: Omit<Change, 'seq'>): void;
  last(): number;
  /** Changes after this one; undefined if some are no longer kept. */
  since(seq: number): readonly Change[] | undefined;
  listen(listener: (change: Change) => void): () => void;
}

const mostKept = 1_000;

/** Publishes changes, and keeps the latest for pages whose connection dropped. */
export const createChanges = (): Changes => {
  const kept: Change[] = [];
  const listeners = new Set<(change: Change) => void>();
  let seq = 0;
  return {
    boot: randomBytes(6).toString('hex'),
    publish(change) {
      seq += 1;
      const numbered = { ...change, seq };
      kept.push(numbered);
      if (kept.length > mostKept) kept.splice(0, kept.length - mostKept);
      for (const listener of listeners) listener(numbered);
    },
    last: () => seq,
    since(from) {
      if (from > seq || from < seq - kept.length) return undefined;
      return kept.filter((change) => change.seq > from);
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
