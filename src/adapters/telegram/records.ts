import { z } from 'zod';
import { platforms } from '../../command/place.ts';

const place = z.looseObject({
  platform: z.enum(platforms),
  community: z.string(),
  channel: z.string(),
  direct: z.boolean(),
});

/** By how their keys begin. What has no line here is judged by whoever reads it. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  'telegram:handled:': z.array(z.number().int()),
  'telegram:kept': z.array(z.looseObject({ update_id: z.number().int() })),
  'telegram:asked-elsewhere:': place,
  'telegram:questions:': z.array(z.looseObject({ draft: z.string(), question: z.looseObject({}) })),
  'telegram:relocated:': z.looseObject({ chat: z.number(), message: z.number() }),
  'telegram:migrated:': z.number().int(),
  'telegram:album:': z.enum(['short', 'full']),
};

/** A chat with one person has that person's id; groups and channels have negative ones. */
const mentioned = /^telegram:(?:asked-elsewhere|questions|album):(\d+)(?::|$)/;

/** What the store has to know of this adapter's records. */
export const telegramRecords = {
  ownerOf(key: string): string | undefined {
    const person = mentioned.exec(key)?.[1];
    return person === undefined ? undefined : `telegram:${person}`;
  },
  isValid(key: string, value: unknown): boolean {
    const [, shape] = Object.entries(shapes).find(([start]) => key.startsWith(start)) ?? [];
    return shape === undefined || shape.safeParse(value).success;
  },
};
