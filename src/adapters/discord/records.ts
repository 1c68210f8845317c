import { formOwner, readFormSource } from './components/modal.ts';
import { readShardCount, SHARD_COUNT_KEY } from './gateway/shard-count.ts';
import { readShardSession, SESSION_PREFIX } from './gateway/shard-sessions.ts';

const FORM_INDEX_PREFIX = 'forms-of:';

/** Tells the store whose each record of this adapter is, and whether it is valid. */
export const discordRecordRules = {
  ownerOf(key: string, value: unknown): string | undefined {
    // Version 0.1 kept a list of each person's forms.
    const person = key.startsWith(FORM_INDEX_PREFIX) ? key.slice(FORM_INDEX_PREFIX.length) : formOwner(value);
    return person === undefined ? undefined : `discord:${person}`;
  },
  isValid(key: string, value: unknown): boolean {
    if (key.startsWith('form:')) return readFormSource(value) !== undefined;
    if (key.startsWith(SESSION_PREFIX)) return readShardSession(value) !== undefined;
    if (key === SHARD_COUNT_KEY) return readShardCount(value) !== undefined;
    return !key.startsWith('commands:') || typeof value === 'string';
  },
};
