import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import { keepLatest } from '../../../base/keep-latest.ts';
import type { Records } from '../../../base/keyv/records.ts';
import { ofHeaviest } from '../../../base/limits/heaviest.ts';
import { isCookie, newCookie, SESSION_MS } from '../../../sign-in/cookies.ts';
import type { SignIn } from '../../../sign-in/sign-in.ts';
import { createSigned } from '../../../sign-in/signed.ts';
import { type Person, people, peopleFor } from './people.ts';

/** Which person a browser has chosen. */
export interface Session {
  /** The cookie's hash: a stored key cannot be used to sign in. */
  readonly key: string;
  readonly person: Person;
  /** If chosen; otherwise the browser's. */
  readonly locale?: string;
}

const MOST_SESSIONS = 500;

const INDEX_KEY = 'web:sessions';
const recordKey = (key: string): string => `web:session:${key}`;

interface Kept {
  readonly person: string;
  readonly locale?: string;
}

export interface SessionOptions {
  /** Undefined: there is no password, so a signed cookie is enough. */
  readonly signIn?: Pick<SignIn, 'keyFor'> | undefined;
  /** Visitors may act as the owner. */
  readonly hasOwner: boolean;
}

export function createSessions(state: Records, { signIn, hasOwner }: SessionOptions) {
  const allowed = peopleFor(hasOwner);
  const keyOf =
    signIn?.keyFor ?? ((cookie: string) => createHash('sha256').update(cookie).digest('base64url'));
  /** Where sessions came from, least recently used first. One that this process has not seen counts as an address of its own. */
  const addresses = new Map<string, string>();
  const [newcomer] = people;
  const signed = createSigned(state, 'web:cookie-secret');

  /** The least recently used session of the address with most sessions. */
  const oldestOfMost = (keys: readonly string[]): string | undefined => {
    const uses = new Map([...addresses.keys()].map((key, index) => [key, index]));
    const byUse = keys.toSorted((a, b) => (uses.get(a) ?? -1) - (uses.get(b) ?? -1));
    return ofHeaviest(byUse, (key) => addresses.get(key) ?? key)[0];
  };
  /** Adds it to the list of stored sessions; returns those that had to make room. */
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
    /** Who a visitor can be. */
    people: allowed,
    async find(cookie: string | undefined): Promise<Session | undefined> {
      if (!isCookie(cookie)) return undefined;
      const key = keyOf(cookie);
      const kept = await state.get<Kept>(recordKey(key));
      // The owner may have been allowed when this was stored, and not be now.
      const person = kept && allowed.find(({ id }) => id === kept.person);
      if (person === undefined)
        return signIn === undefined && signed.isIssued(cookie) ? { key, person: newcomer } : undefined;
      used(key, addresses.get(key) ?? key);
      return { key, person, ...defined({ locale: kept?.locale }) };
    },
    /** A signed cookie for a visitor who has not done anything yet; nothing is stored for it. Not used with a password. */
    issue: signed.issue,
    /** Stores a new session and returns its cookie. */
    async open(address: string): Promise<string> {
      const cookie = newCookie();
      await write({ key: keyOf(cookie), person: newcomer }, {}, address);
      return cookie;
    },
    change: write,
  };
}

export type Sessions = ReturnType<typeof createSessions>;
