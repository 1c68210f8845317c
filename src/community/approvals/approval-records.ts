import { z } from 'zod';
import type { KeyValue } from '../../base/key-value.ts';
import { isPersonal, placeShape } from '../../command/place.ts';
import { isPointer } from '../moving-record.ts';

const decision = z.object({ at: z.number(), by: z.string() });

/** What a community asked the owners for, until one of them approves it. */
const waiting = z.object({
  /** In the buttons of the notices. */
  id: z.string(),
  since: z.number(),
  /** When the owners were last notified. */
  toldAt: z.number(),
  /** Where it was asked for, and in which language. */
  place: placeShape,
  locale: z.string(),
  /** Who added the bot, or used it first. */
  person: z.string().exactOptional(),
  isAdded: z.literal(true).exactOptional(),
  members: z.number().exactOptional(),
  dismissed: decision.exactOptional(),
});

const record = z.object({
  /** As the platform has it: untrusted text. */
  name: z.string().exactOptional(),
  approved: decision.exactOptional(),
  waiting: waiting.exactOptional(),
});
const request = z.object({ community: z.string() });

export type Approval = z.infer<typeof record>;
export type WaitingEntry = z.infer<typeof waiting>;
export type ApprovalStore = KeyValue & {
  iterator(): AsyncIterable<readonly [key: string, value: unknown]>;
};

/** Followed by the id of what a community asked for. */
const REQUEST_PREFIX = '*request:';

export function requestKey(id: string): string {
  return `${REQUEST_PREFIX}${id}`;
}

export const approvalRecords = {
  /** A direct chat that waits is deleted with its person's data; an approval is the owner's decision, and stays. */
  ownerOf: (key: string, value: unknown): string | undefined =>
    isPersonal(key) && record.safeParse(value).data?.approved === undefined
      ? key.replace(':dm:', ':')
      : undefined,
  isValid: (key: string, value: unknown): boolean =>
    isPointer(value) || (key.startsWith(REQUEST_PREFIX) ? request : record).safeParse(value).success,
};

export function approvalIn(stored: unknown): Approval {
  return record.safeParse(stored).data ?? {};
}

export function communityIn(stored: unknown): string | undefined {
  return request.safeParse(stored).data?.community;
}
