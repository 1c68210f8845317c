import { z } from 'zod';
import { readFormSource } from './outgoing/forms.ts';

const asked = z.object({ person: z.string() });
const INDEX = 'forms-of:';

/** What the store has to know of this adapter's records. */
export const discordRecords = {
  ownerOf(key: string, value: unknown): string | undefined {
    // Up to version 1.0 a list was kept of each person's forms.
    const person = key.startsWith(INDEX) ? key.slice(INDEX.length) : asked.safeParse(value).data?.person;
    return person === undefined ? undefined : `discord:${person}`;
  },
  isValid(key: string, value: unknown): boolean {
    if (key.startsWith('form:')) return readFormSource(value) !== undefined;
    return !key.startsWith('commands:') || typeof value === 'string';
  },
};
