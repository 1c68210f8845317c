import type { InboxEntry } from '../../src/base/members/inbox.ts';

export const entry = (id: number, lane = 'a', person = 'telegram:1'): InboxEntry => ({
  id,
  lane,
  person,
  body: { update_id: id },
});

export const idsFrom = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);
