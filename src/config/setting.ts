import { z } from 'zod';

export interface About {
  /** Shown in the tables as the default: the value, or what being unset means. */
  readonly unset: string;
  readonly meaning: string;
  /** Ends the sentence "Allowed: …" in an error. */
  readonly allowed: string;
  /**
   * Who sees its value. `nobody`: not shown even when it is malformed; an address that may contain a password is shown up to
   * its scheme at most.
   */
  readonly shownTo: 'nobody' | 'nobody after the scheme' | 'owner';
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
