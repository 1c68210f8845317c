import { expect, it } from 'vitest';
import { createKnownUsers } from '../../../../src/command/desk/known-users.ts';
import type { Caller, Place } from '../../../../src/command/place.ts';

const place: Place = { platform: 'telegram', community: 'telegram:-1', channel: '-1', direct: false };
const personOf = (id: string, name: string): Caller => ({ platform: 'telegram', id, name, locale: 'en' });

it('does not choose between two people with one name', () => {
  const people = createKnownUsers();
  people.noticed(personOf('1', 'Ann'), place);
  people.noticed(personOf('2', 'ANN'), place);
  people.noticed(personOf('1', 'Ann'), place);
  expect(people.find('ann', place)).toBeUndefined();
  expect(people.find('2', place)).toBe('2');
  expect(people.find('channel:-100777', place)).toBe('channel:-100777');
});
