import { z } from 'zod';

export interface About {
  /** Shown in the tables as the default: the value, or what being unset means. */
  readonly unset: string;
  readonly meaning: string;
  /** Ends the sentence "Allowed: …" in an error. */
  readonly allowed: string;
  /** Never shown, not even when malformed. Of an address that may contain a password, only the scheme is. */
  readonly secret?: true | 'after the scheme';
  /** A number or a choice: its value names nobody and nothing, so that strangers may see it. */
  readonly isHarmless?: true;
}

/** For error messages, the README's table and `.env.example`. */
export const about = z.registry<About>();

export function withDefault<Value>(
  schema: z.ZodType<Value, string>,
  preset: string,
  more: Omit<About, 'unset'>,
) {
  const setting = z.prefault(schema, preset);
  about.add(setting, { ...more, unset: `\`${preset}\`` });
  return setting;
}

export function optional<Value>(
  schema: z.ZodType<Value, string>,
  more: Omit<About, 'unset'> & { unset?: string },
) {
  const setting = z.optional(schema);
  about.add(setting, { unset: 'unset', ...more });
  return setting;
}

export const URL_ALLOWED = 'an http(s) address without user name, query or fragment';
