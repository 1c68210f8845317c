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

export function personWith(id: string): Person | undefined {
  return people.find((person) => person.id === id);
}

export function directRoom(person: Person): Room {
  return {
    id: `dm-${person.id}`,
    name: 'Direct chat',
    of: person.id,
  };
}

export const rooms: readonly Room[] = [...communities, ...people.map(directRoom)];

export function roomWith(id: string): Room | undefined {
  return rooms.find((room) => room.id === id);
}

/** The rooms of a person, the community first. */
export function roomsOf(person: Person): readonly Room[] {
  return [...communities.filter((room) => room.id === person.home), directRoom(person)];
}

export function placeIn(room: Room): Place {
  return {
    platform: 'web',
    community: room.of === undefined ? `web:${room.id}` : `web:dm:${room.of}`,
    channel: room.id,
    direct: room.of !== undefined,
  };
}

export function callerFor(person: Person, locale: string): Caller {
  return {
    platform: 'web',
    id: person.id,
    name: person.name,
    locale,
  };
}

export function moderates(person: Person, room: Room): boolean {
  return room.of === undefined && person.role === 'moderator' && person.home === room.id;
}

/** Everybody in their community, so that moderators can name them. */
export const knownUsers: readonly { readonly caller: Caller; readonly place: Place }[] = people.flatMap(
  (person) =>
    communities
      .filter(({ id }) => id === person.home)
      .map((room) => ({ caller: callerFor(person, 'en'), place: placeIn(room) })),
);
