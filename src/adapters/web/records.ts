import { z } from 'zod';
import { roomList } from './outgoing/chat.ts';
import { mediaList } from './outgoing/media.ts';
import { messageShape } from './outgoing/message.ts';

const ids = z.array(z.string());

/** By key prefix, longer ones first. */
const shapes: readonly (readonly [string, z.ZodType])[] = [
  ['web:sessions', ids],
  ['web:session:', z.looseObject({ person: z.string(), locale: z.string().optional() })],
  ['web:media:', z.string()],
  ['web:media', mediaList],
  ['web:room:', roomList],
  ['web:message:', messageShape],
];

/** How the store validates this adapter's records. */
export const webRecords = {
  isValid(key: string, value: unknown): boolean {
    const [, shape] = shapes.find(([start]) => key.startsWith(start)) ?? [];
    return shape === undefined || shape.safeParse(value).success;
  },
};
