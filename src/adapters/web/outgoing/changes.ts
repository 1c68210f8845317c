import { randomBytes } from 'node:crypto';
import type { Message } from './message.ts';

/** Something that happened to a message, in order. */
export interface Change {
  readonly seq: number;
  readonly message: Message;
  readonly gone: boolean;
  /** It was visible to fewer or to other people before. */
  readonly before?: Pick<Message, 'room' | 'only'>;
}

export interface Changes {
  /** Numbers of two processes never meet: each begins with its own name. */
  readonly boot: string;
  publish(change: Omit<Change, 'seq'>): void;
  last(): number;
  /** What came after this one; undefined when that is too long ago. */
  since(seq: number): readonly Change[] | undefined;
  listen(listener: (change: Change) => void): () => void;
}

const mostKept = 1_000;

/** What happened lately, for pages whose connection dropped, and at once for those that listen. */
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
