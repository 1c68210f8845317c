import { createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { isWithin } from '../../base/clock.ts';
import type { Records } from '../../base/keyv/records.ts';
import { isCookieValue, newCookieValue, SESSION_MS } from '../../sign-in/cookies.ts';

const MOST_SESSIONS = 20;
/** The precision of "last seen", so that not every page view is a write. */
const SEEN_EVERY_MS = 60_000;
const TAG_BYTES = 32;

const session = z.object({
  /** The hash of the cookie, so that nobody can sign in with what is stored. */
  key: z.string().max(100),
  /** The tag of the password with which the session was opened, from `tagFor`. */
  password: z.string().max(100),
  since: z.number(),
  seen: z.number(),
  browser: z.string().max(100),
  network: z.string().max(100),
});
const record = z.object({ salt: z.string().max(100), list: z.array(session).max(MOST_SESSIONS) });
type Stored = z.infer<typeof record>;

/** A session of the owner, as the console lists it. */
export type OwnerSession = Omit<z.infer<typeof session>, 'password'>;

const KEY = 'sessions';
/** Tells the store whether a record of the console is valid. */
export const sessionRecordRules = {
  isValid: (key: string, value: unknown): boolean => key !== KEY || record.safeParse(value).success,
};

/** Where a session comes from. */
export interface SignInOrigin {
  readonly browser: string;
  readonly network: string;
}

export type OwnerSessions = ReturnType<typeof createOwnerSessions>;

const derive = promisify<string, string, number, Buffer>(scrypt);

/** Keeps the owner's sessions in one record, so that each process knows them and all can be ended at once. */
export function createOwnerSessions(state: Records, password: string, now: () => number) {
  const tags = new Map<string, Promise<string>>();
  /**
   * Derives the tag of the password, with which all sessions are checked. It is slow (scrypt), so that a stolen store does
   * not help to guess the password.
   */
  const tagFor = (salt: string): Promise<string> => {
    const known = tags.get(salt);
    if (known !== undefined) return known;
    const tag = derive(password, salt, TAG_BYTES).then((bytes) => bytes.toString('base64url'));
    tags.clear();
    tags.set(salt, tag);
    return tag;
  };
  const keyOf = (cookie: string): string => createHash('sha256').update(cookie).digest('base64url');
  const read = (stored: unknown): Stored | undefined => record.safeParse(stored).data;
  const isAlive =
    (tag: string) =>
    (each: Stored['list'][number]): boolean =>
      each.password === tag && isWithin(SESSION_MS, each.since, now());

  /** Reads the record, and creates it with a salt if there is none. */
  const stored = async (): Promise<Stored> => {
    const empty: Stored = { salt: randomBytes(16).toString('base64url'), list: [] };
    const there = await state.update<unknown>(KEY, (value) =>
      read(value) === undefined ? empty : undefined,
    );
    return read(there) ?? empty;
  };
  const change = async (edit: (list: Stored['list']) => Stored['list']): Promise<void> => {
    await state.update<unknown>(KEY, (value) => {
      const before = read(value);
      return before && { ...before, list: edit(before.list) };
    });
  };
  const list = async (): Promise<readonly OwnerSession[]> => {
    const there = read(await state.get(KEY));
    if (there === undefined) return [];
    const tag = await tagFor(there.salt);
    return there.list
      .filter(isAlive(tag))
      .map(({ password: _, ...each }) => each)
      .toSorted((a, b) => b.seen - a.seen);
  };

  return {
    list,
    async find(cookie: string | undefined, from: SignInOrigin): Promise<OwnerSession | undefined> {
      if (!isCookieValue(cookie)) return undefined;
      const key = keyOf(cookie);
      const found = (await list()).find((each) => each.key === key);
      if (found === undefined || now() - found.seen < SEEN_EVERY_MS) return found;
      const seen = { ...from, seen: now() };
      // The error is ignored, because a store that cannot be written to must not keep the owner out.
      await change((all) => all.map((each) => (each.key === key ? { ...each, ...seen } : each))).catch(
        () => undefined,
      );
      return { ...found, ...seen };
    },
    /** Opens a session and returns its cookie. Above the limit, the least recently used session ends. */
    async open(from: SignInOrigin): Promise<string> {
      const cookie = newCookieValue();
      const tag = await tagFor((await stored()).salt);
      const added = { key: keyOf(cookie), password: tag, since: now(), seen: now(), ...from };
      await change((all) =>
        [...all.filter(isAlive(tag)), added].toSorted((a, b) => a.seen - b.seen).slice(-MOST_SESSIONS),
      );
      return cookie;
    },
    end: (key: string): Promise<void> => change((all) => all.filter((each) => each.key !== key)),
    /** Deletes sessions of former passwords, so that they do not come back if such a password is set again. */
    async endFormer(): Promise<void> {
      const there = read(await state.get(KEY));
      if (there === undefined || there.list.length === 0) return;
      const tag = await tagFor(there.salt);
      if (there.list.some(({ password: of }) => of !== tag))
        await change((all) => all.filter(({ password: of }) => of === tag));
    },
    endAll: (): Promise<void> => change(() => []),
  };
}
