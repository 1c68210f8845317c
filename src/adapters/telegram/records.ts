import { z } from 'zod';
import { placeShape } from '../../command/place.ts';
import { cardShape } from './api/refs.ts';

/** The shapes of records by the prefix of their keys. Records with another prefix are checked where they are read. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  'telegram:handled:': z.array(z.number().int()),
  'telegram:kept': z.array(z.looseObject({ update_id: z.number().int() })),
  'telegram:asked-elsewhere:': placeShape,
  'telegram:questions:': z.array(z.looseObject({ draft: z.string(), question: z.looseObject({}) })),
  'telegram:relocated:': z.looseObject({ chat: z.number(), message: z.number() }),
  'telegram:migrated:': z.number().int(),
  'telegram:name:': z.number().int(),
  'telegram:named:': z.string(),
  'telegram:album:': z.enum(['short', 'full']),
  'telegram:new-app:': z.boolean(),
  'telegram:no-ephemerals:': z.boolean(),
  'telegram:working:': cardShape,
  'telegram:welcomed:': z.boolean(),
};

/** Matches keys that contain a person's id; groups and channels have negative ids, which it does not match. */
const MENTIONED = /^telegram:(?:asked-elsewhere|questions|album|new-app|working|named):(\d+)(?::|$)/;

/** Tells the store whose each record of this adapter is, and whether it is valid. */
export const telegramRecordRules = {
  ownerOf(key: string, value?: unknown): string | undefined {
    const person = key.startsWith('telegram:name:') ? value : MENTIONED.exec(key)?.[1];
    return person === undefined ? undefined : `telegram:${person}`;
  },
  isValid(key: string, value: unknown): boolean {
    const [, shape] = Object.entries(shapes).find(([start]) => key.startsWith(start)) ?? [];
    return shape === undefined || shape.safeParse(value).success;
  },
};
