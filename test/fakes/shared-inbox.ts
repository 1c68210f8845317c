import type { InboxEntry } from '../../src/base/members/inbox.ts';

/** An update with this id in the inbox; updates of one lane are handled one after the other. */
export const entry = (id: number, lane = 'a', person = 'telegram:1'): InboxEntry => ({
  id,
  lane,
  person,
  body: { update_id: id },
});

/** So many ids in a row. */
export const idsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);
