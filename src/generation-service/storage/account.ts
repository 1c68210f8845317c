import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';

export interface AccountOptions {
  /** The API key; by default random, and kept in the data folder. */
  apiKey?: string;
  /** The bearer token; by default random, and kept in the data folder. */
  token?: string;
  /** The credits at the first start. */
  credits?: number;
}

/** The only user of the service. */
export const USER = 'you@darkroom.example';

const DEFAULT_CREDITS = 1_000_000;
const creditsRow = z.object({ credits: z.number() });
const secretRow = z.object({ value: z.string() });

export type Account = ReturnType<typeof openAccount>;

/** The user's credentials and credits. */
export function openAccount(db: DatabaseSync, options: AccountOptions) {
  const apiKey = options.apiKey ?? storedSecret(db, 'key');
  const token = options.token ?? storedSecret(db, 'token');
  const add = db.prepare('INSERT OR IGNORE INTO users (name, credits) VALUES (?, ?)');
  add.run(USER, options.credits ?? DEFAULT_CREDITS);
  const read = db.prepare('SELECT credits FROM users WHERE name = ?');
  const change = db.prepare('UPDATE users SET credits = credits + ? WHERE name = ?');
  return {
    apiKey,
    token,
    hasKey: (key: string | undefined): boolean => isSame(key, apiKey),
    hasToken: (value: string | undefined): boolean => isSame(value, token),
    credits: (): number => creditsRow.parse(read.get(USER)).credits,
    add: (amount: number): void => void change.run(amount, USER),
  };
}

// Compares digests, so that the duration tells nothing about the secret.
const isSame = (given: string | undefined, secret: string): boolean =>
  given !== undefined && digest(given) === digest(secret);

const digest = (secret: string): string => createHash('sha256').update(secret).digest('base64');

function storedSecret(db: DatabaseSync, name: string): string {
  const insert = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  insert.run(name, `${name}-${randomBytes(18).toString('base64url')}`);
  return secretRow.parse(db.prepare('SELECT value FROM secrets WHERE name = ?').get(name)).value;
}
