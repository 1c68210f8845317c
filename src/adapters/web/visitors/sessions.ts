import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { itemsOfHeaviestOwner } from '../../../base/limits/heaviest.ts';
import { isCookieValue, newCookieValue, SESSION_MS } from '../../../sign-in/cookies.ts';
import type { SignIn } from '../../../sign-in/sign-in.ts';
import { createSignedNames } from '../../../sign-in/signed-names.ts';
import { type Person, people, peopleFor } from './people.ts';

/** The session of a browser: which person the visitor has chosen to be. */
export interface Session {
  /** The hash of the cookie, so that nobody can sign in with a stored key. */
  readonly key: string;
  readonly person: Person;
  /** The language, if the visitor has chosen one; otherwise the browser's counts. */
  readonly locale?: string;
}

const MOST_SESSIONS = 500;

const INDEX_KEY = 'web:sessions';
const recordKey = (key: string): string => `web:session:${key}`;

interface Kept {
  readonly person: string;
  readonly locale?: string;
}

/** The settings that decide about sessions: the password, and whether visitors may be the owner. */
export interface SessionOptions {
  /** Derives keys from cookies where there is a password; undefined without one, when a signed cookie is enough. */
  readonly signIn?: Pick<SignIn, 'keyFor'> | undefined;
  /** Whether visitors may act as the owner. */
  readonly hasOwner: boolean;
}

/** Finds and stores the sessions of browsers. Their number is bounded, with a share per address. */
export function createSessions(state: Records, { signIn, hasOwner }: SessionOptions) {
  const allowed = peopleFor(hasOwner);
  const keyOf =
    signIn?.keyFor ?? ((cookie: string) => createHash('sha256').update(cookie).digest('base64url'));
  /**
   * The addresses of sessions, least recently used first. A session that this process has not seen counts as an address of
   * its own.
   */
  const addresses = new Map<string, string>();
  const [newcomer] = people;
  const signed = createSignedNames(state, 'web:cookie-secret');

  /** Chooses the session to end: the least recently used one of the address with most sessions. */
  const oldestOfMost = (keys: readonly string[]): string | undefined => {
    const uses = new Map([...addresses.keys()].map((key, index) => [key, index]));
    const byUse = keys.toSorted((a, b) => (uses.get(a) ?? -1) - (uses.get(b) ?? -1));
    return itemsOfHeaviestOwner(byUse, (key) => addresses.get(key) ?? key)[0];
  };
  /** Adds a session to the stored list; returns the sessions that had to make room. */
  const enlist = async (key: string): Promise<readonly string[]> => {
    let gone: string[] = [];
    await state.update<unknown>(INDEX_KEY, (stored) => {
      gone = [];
      const before = Array.isArray(stored) ? stored.map(String) : [];
      if (before.includes(key)) return undefined;
      let after = [...before, key];
      while (after.length > MOST_SESSIONS) {
        const oldest = oldestOfMost(after);
        if (oldest === undefined) break;
        gone.push(oldest);
        after = after.filter((each) => each !== oldest);
      }
      return after;
    });
    return gone;
  };
  const used = (key: string, address: string): void => {
    addresses.delete(key);
    addresses.set(key, address);
    keepLatest(addresses, MOST_SESSIONS);
  };

  const write = async (
    { key, person }: Session,
    to: { readonly person?: Person; readonly locale?: string },
    address: string,
  ): Promise<void> => {
    used(key, address);
    for (const gone of await enlist(key)) {
      addresses.delete(gone);
      await state.delete(recordKey(gone));
    }
    await state.update<Kept>(
      recordKey(key),
      (kept) => ({
        person: to.person?.id ?? kept?.person ?? person.id,
        ...defined({ locale: to.locale ?? kept?.locale }),
      }),
      SESSION_MS,
    );
  };

  return {
    load: signed.load,
    /** The people that a visitor can be. */
    people: allowed,
    async find(cookie: string | undefined): Promise<Session | undefined> {
      if (!isCookieValue(cookie)) return undefined;
      const key = keyOf(cookie);
      const kept = await state.get<Kept>(recordKey(key));
      // The stored person may be the owner, who is no longer allowed.
      const person = kept && allowed.find(({ id }) => id === kept.person);
      if (person === undefined)
        return signIn === undefined && signed.isIssued(cookie) ? { key, person: newcomer } : undefined;
      used(key, addresses.get(key) ?? key);
      return { key, person, ...defined({ locale: kept?.locale }) };
    },
    /**
     * Issues a signed cookie for a visitor who has not done anything yet; nothing is stored. Only used without a password.
     */
    issue: signed.issue,
    /** Stores a new session and returns its cookie. */
    async open(address: string): Promise<string> {
      const cookie = newCookieValue();
      await write({ key: keyOf(cookie), person: newcomer }, {}, address);
      return cookie;
    },
    change: write,
  };
}

export type Sessions = ReturnType<typeof createSessions>;
