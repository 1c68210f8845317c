import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export interface CallerOptions {
  /** The key of the ready-made caller; random, and kept in the data folder, unless given. */
  apiKey?: string;
  /** The bearer token of the ready-made caller, likewise. */
  token?: string;
  /** More callers: key → user, token → user. */
  apiKeys?: Record<string, string>;
  tokens?: Record<string, string>;
  /** Credits at the start: the same for all, or by user. */
  credits?: number | Record<string, number>;
}

/** The user that the ready-made key and token belong to. */
export const READY_MADE_USER = 'you@darkroom.example';

const DEFAULT_CREDITS = 1_000_000;
const creditsRow = z.object({ credits: z.number() });
const secretRow = z.object({ value: z.string() });

export type Callers = ReturnType<typeof createCallers>;

/** Which user a credential belongs to, and the credits of each user. */
export function createCallers(db: DatabaseSync, options: CallerOptions) {
  const apiKey = options.apiKey ?? storedSecret(db, 'key');
  const token = options.token ?? storedSecret(db, 'token');
  const keys = byDigest({ ...options.apiKeys, [apiKey]: READY_MADE_USER });
  const tokens = byDigest({ ...options.tokens, [token]: READY_MADE_USER });

  const addUser = db.prepare('INSERT OR IGNORE INTO users (name, credits) VALUES (?, ?)');
  const users = [...new Set([...keys.values(), ...tokens.values()])];
  for (const user of users) {
    const own = typeof options.credits === 'object' ? options.credits[user] : options.credits;
    addUser.run(user, own ?? DEFAULT_CREDITS);
  }
  const read = db.prepare('SELECT credits FROM users WHERE name = ?');
  const spend = db.prepare('UPDATE users SET credits = credits - ?1 WHERE name = ?2 AND credits >= ?1');
  const refund = db.prepare('UPDATE users SET credits = credits + ? WHERE name = ?');

  return {
    apiKey,
    token,
    users,
    userOfKey: (key: string | undefined) => (key ? keys.get(digest(key)) : undefined),
    userOfToken: (value: string | undefined) => (value ? tokens.get(digest(value)) : undefined),
    credits(user: string): number {
      const row = creditsRow.safeParse(read.get(user));
      return row.success ? row.data.credits : 0;
    },
    /** False, and nothing spent, when there is not enough. */
    spend: (user: string, amount: number): boolean => spend.run(amount, user).changes === 1,
    refund: (user: string, amount: number): void => void refund.run(amount, user),
  };
}

// Looked up by digest, so that how long a lookup takes says nothing about the secret.
const digest = (secret: string) => createHash('sha256').update(secret).digest('base64');

const byDigest = (users: Record<string, string>) =>
  new Map(Object.entries(users).map(([secret, user]) => [digest(secret), user]));

function storedSecret(db: DatabaseSync, name: string): string {
  const insert = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  insert.run(name, `${name}-${randomBytes(18).toString('base64url')}`);
  return secretRow.parse(db.prepare('SELECT value FROM secrets WHERE name = ?').get(name)).value;
}
