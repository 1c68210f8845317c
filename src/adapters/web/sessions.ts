import { createHash, randomBytes } from 'node:crypto';
import type { Memory } from './memory.ts';
import { type Person, people, personWith } from './people.ts';

/** Who sits at a browser: chosen there, kept here. */
export interface Session {
  /** The cookie's hash: what is kept cannot be used to enter. */
  readonly key: string;
  readonly person: Person;
  /** As chosen; otherwise the browser's. */
  readonly locale?: string;
}

export interface Sessions {
  load(): Promise<void>;
  find(cookie: string | undefined): Promise<Session | undefined>;
  /** A new one, and the cookie that opens it. */
  open(): Promise<{ readonly cookie: string; readonly session: Session }>;
  change(session: Session, to: { readonly person?: Person; readonly locale?: string }): Promise<Session>;
}

const keptMs = 14 * 24 * 3_600_000;
export const sessionSeconds = keptMs / 1000;
const mostSessions = 500;

const indexKey = 'web:sessions';
const keyOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');
const recordKey = (key: string): string => `web:session:${key}`;

interface Kept {
  readonly person: string;
  readonly locale?: string;
}

export const createSessions = (state: Memory): Sessions => {
  /** Oldest first. */
  const known = new Set<string>();
  const [newcomer] = people;

  const write = async ({ key, person, locale }: Session): Promise<void> => {
    const kept: Kept = { person: person.id, ...(locale === undefined ? {} : { locale }) };
    await state.set(recordKey(key), kept, keptMs);
  };

  return {
    async load() {
      for (const key of (await state.get<string[]>(indexKey)) ?? []) known.add(key);
    },
    async find(cookie) {
      if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined;
      const key = keyOf(cookie);
      const kept = await state.get<Kept>(recordKey(key));
      const person = kept && personWith(kept.person);
      if (person === undefined) return undefined;
      return { key, person, ...(kept?.locale === undefined ? {} : { locale: kept.locale }) };
    },
    async open() {
      const cookie = randomBytes(32).toString('base64url');
      const session: Session = { key: keyOf(cookie), person: newcomer };
      known.add(session.key);
      for (const oldest of known) {
        if (known.size <= mostSessions) break;
        known.delete(oldest);
        await state.delete(recordKey(oldest));
      }
      await state.set(indexKey, [...known]);
      await write(session);
      return { cookie, session };
    },
    async change(session, { person, locale }) {
      const changed = {
        ...session,
        ...(person === undefined ? {} : { person }),
        ...(locale === undefined ? {} : { locale }),
      };
      await write(changed);
      return changed;
    },
  };
};
