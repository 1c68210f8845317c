import { z } from 'zod';
import { placeShape } from '../../command/place.ts';
import { cardShape } from './api/refs.ts';

/** Shapes of records by the prefix of their keys. Other records are checked where they are read. */
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

/** A private chat has the person's id; groups and channels have negative ids. */
const MENTIONED = /^telegram:(?:asked-elsewhere|questions|album|new-app|working|named):(\d+)(?::|$)/;

/** Owner and shape of this adapter's records, for the store. */
export const telegramRecords = {
  ownerOf(key: string, value?: unknown): string | undefined {
    const person = key.startsWith('telegram:name:') ? value : MENTIONED.exec(key)?.[1];
    return person === undefined ? undefined : `telegram:${person}`;
  },
  isValid(key: string, value: unknown): boolean {
    const [, shape] = Object.entries(shapes).find(([start]) => key.startsWith(start)) ?? [];
    return shape === undefined || shape.safeParse(value).success;
  },
};
