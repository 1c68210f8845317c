import { createHash, randomBytes } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import type { KeyValue } from '../../../base/key-value.ts';
import { ofHeaviest } from './heaviest.ts';
import { type Person, people, personWith } from './people.ts';
import { createSigned } from './signed.ts';

/** Which person a browser has chosen. */
export interface Session {
  /** The cookie's hash: a stored key cannot be used to sign in. */
  readonly key: string;
  readonly person: Person;
  /** If chosen; otherwise the browser's. */
  readonly locale?: string;
}

const KEPT_MS = 14 * 24 * 3_600_000;
export const SESSION_SECONDS = KEPT_MS / 1000;
const MOST_SESSIONS = 500;
const COOKIE_BYTES = 32;

const INDEX_KEY = 'web:sessions';
function keyOf(cookie: string): string {
  return createHash('sha256').update(cookie).digest('base64url');
}
function recordKey(key: string): string {
  return `web:session:${key}`;
}

interface Kept {
  readonly person: string;
  readonly locale?: string;
}

/** `open`: there is no password, so a signed cookie is enough. */
export function createSessions(state: KeyValue, open: boolean) {
  /** Stored sessions and the address each came from, least recently used first. */
  const known = new Map<string, string>();
  const [newcomer] = people;
  const signed = createSigned(state, 'web:cookie-secret');

  /** Removes the least recently used session of the address with most sessions. */
  const makeRoom = async (): Promise<void> => {
    const [oldest] = ofHeaviest([...known], ([, visitor]) => visitor)[0] ?? [];
    if (oldest === undefined) return;
    known.delete(oldest);
    await state.delete(recordKey(oldest));
  };

  const write = async ({ key, person, locale }: Session, visitor: string): Promise<void> => {
    const isNew = !known.has(key);
    known.set(key, visitor);
    while (known.size > MOST_SESSIONS) await makeRoom();
    if (isNew) await state.set(INDEX_KEY, [...known.keys()]);
    const kept: Kept = { person: person.id, ...defined({ locale }) };
    await state.set(recordKey(key), kept, KEPT_MS);
  };

  return {
    async load(): Promise<void> {
      const index = await state.get<unknown>(INDEX_KEY);
      // Addresses are not stored: each of these counts as its own.
      for (const key of Array.isArray(index) ? index.map(String) : []) known.set(key, key);
      await signed.load();
    },
    async find(cookie: string | undefined): Promise<Session | undefined> {
      if (cookie === undefined || !/^[\w-]{43}$/.test(cookie)) return undefined;
      const key = keyOf(cookie);
      const visitor = known.get(key);
      const kept = visitor === undefined ? undefined : await state.get<Kept>(recordKey(key));
      const person = kept && personWith(kept.person);
      if (person === undefined || visitor === undefined)
        return open && signed.isIssued(cookie) ? { key, person: newcomer } : undefined;
      if (known.delete(key)) known.set(key, visitor);
      return { key, person, ...defined({ locale: kept?.locale }) };
    },
    /** A signed cookie for a visitor who has not done anything yet; nothing is stored for it. Not used with a password. */
    issue: signed.issue,
    /** Stores a new session and returns its cookie. */
    async open(visitor: string): Promise<string> {
      const cookie = randomBytes(COOKIE_BYTES).toString('base64url');
      await write({ key: keyOf(cookie), person: newcomer }, visitor);
      return cookie;
    },
    change: (
      session: Session,
      to: { readonly person?: Person; readonly locale?: string },
      visitor: string,
    ): Promise<void> => write({ ...session, ...to }, visitor),
  };
}

export type Sessions = ReturnType<typeof createSessions>;
