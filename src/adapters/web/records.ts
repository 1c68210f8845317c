import { z } from 'zod';
import { roomListShape } from './outgoing/chat.ts';
import { mediaListShape } from './outgoing/media.ts';
import { messageShape } from './outgoing/message.ts';

const ids = z.array(z.string());

/** The shapes of records by the prefix of their keys, longer prefixes first. */
const shapes: readonly (readonly [string, z.ZodType])[] = [
  ['web:sessions', ids],
  ['web:session:', z.looseObject({ person: z.string(), locale: z.string().optional() })],
  ['web:media:', z.string()],
  ['web:media', mediaListShape],
  ['web:room:', roomListShape],
  ['web:message:', messageShape],
];

/** Tells the store whether a record of this adapter is valid. */
export const webRecordRules = {
  isValid(key: string, value: unknown): boolean {
    const [, shape] = shapes.find(([start]) => key.startsWith(start)) ?? [];
    return shape === undefined || shape.safeParse(value).success;
  },
};
