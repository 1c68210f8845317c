import type { Caller, Place } from '../../../command/place.ts';

/** The fixed people of the playground; a visitor chooses which one to be. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: 'member' | 'moderator';
  readonly home: string;
}

export interface Room {
  readonly id: string;
  readonly name: string;
  /** Whose direct chat it is. */
  readonly of?: string;
}

const communities: readonly Room[] = [
  { id: 'studio', name: 'Studio' },
  { id: 'garden', name: 'Garden' },
];

export const people: readonly [Person, ...Person[]] = [
  { id: 'ann', name: 'Ann', role: 'member', home: 'studio' },
  { id: 'bob', name: 'Bob', role: 'member', home: 'studio' },
  { id: 'max', name: 'Max', role: 'moderator', home: 'studio' },
  { id: 'kim', name: 'Kim', role: 'member', home: 'garden' },
  { id: 'lea', name: 'Lea', role: 'moderator', home: 'garden' },
];

export const personWith = (id: string): Person | undefined => people.find((person) => person.id === id);

export const directRoom = (person: Person): Room => ({
  id: `dm-${person.id}`,
  name: 'Direct chat',
  of: person.id,
});

export const rooms: readonly Room[] = [...communities, ...people.map(directRoom)];

export const roomWith = (id: string): Room | undefined => rooms.find((room) => room.id === id);

/** The rooms of a person, the community first. */
export const roomsOf = (person: Person): readonly Room[] => [
  ...communities.filter((room) => room.id === person.home),
  directRoom(person),
];

export const placeIn = (room: Room): Place => ({
  platform: 'web',
  community: room.of === undefined ? `web:${room.id}` : `web:dm:${room.of}`,
  channel: room.id,
  direct: room.of !== undefined,
});

export const callerFor = (person: Person, locale: string): Caller => ({
  platform: 'web',
  id: person.id,
  name: person.name,
  locale,
});

export const moderates = (person: Person, room: Room): boolean =>
  room.of === undefined && person.role === 'moderator' && person.home === room.id;

/** Everybody in their community, so that moderators can name them. */
export const knownUsers: readonly { readonly caller: Caller; readonly place: Place }[] = people.flatMap(
  (person) =>
    communities
      .filter(({ id }) => id === person.home)
      .map((room) => ({ caller: callerFor(person, 'en'), place: placeIn(room) })),
);
