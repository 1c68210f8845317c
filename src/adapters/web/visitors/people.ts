import type { Caller, Place } from '../../../command/place.ts';

/** One of the playground's fixed people; a visitor chooses which one to be. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: 'member' | 'moderator' | 'owner';
  /** The id of the community that they are in; undefined for a person who is in all. */
  readonly home?: string;
}

/** A chat of the playground: a community, or the direct chat of a person. */
export interface Room {
  readonly id: string;
  readonly name: string;
  /** The id of the person whose direct chat it is; undefined for a community. */
  readonly of?: string;
}

const communities: readonly Room[] = [
  { id: 'studio', name: 'Studio' },
  { id: 'garden', name: 'Garden' },
];

export const playgroundOwner: Person = { id: 'ida', name: 'Ida', role: 'owner' };

/** All people; a new visitor is the first one. */
export const people: readonly [Person, ...Person[]] = [
  { id: 'ann', name: 'Ann', role: 'member', home: 'studio' },
  { id: 'bob', name: 'Bob', role: 'member', home: 'studio' },
  { id: 'max', name: 'Max', role: 'moderator', home: 'studio' },
  { id: 'kim', name: 'Kim', role: 'member', home: 'garden' },
  { id: 'lea', name: 'Lea', role: 'moderator', home: 'garden' },
  playgroundOwner,
];

/** The people that visitors may be; with `hasOwner` also the owner. */
export const peopleFor = (hasOwner: boolean): readonly Person[] =>
  people.filter((person) => hasOwner || person !== playgroundOwner);

export const personWith = (id: string): Person | undefined => people.find((person) => person.id === id);

export const directRoom = ({ id }: Person): Room => ({ id: `dm-${id}`, name: 'Direct chat', of: id });

export const rooms: readonly Room[] = [...communities, ...people.map(directRoom)];

export const roomWith = (id: string): Room | undefined => rooms.find((room) => room.id === id);

const communitiesOf = ({ home }: Person): readonly Room[] =>
  communities.filter(({ id }) => home === undefined || id === home);

/** The rooms that a person is in, communities first. */
export const roomsOf = (person: Person): readonly Room[] => [...communitiesOf(person), directRoom(person)];

/** The desk's place for a room of the playground. */
export const placeIn = ({ id, of }: Room): Place => ({
  platform: 'web',
  community: of === undefined ? `web:${id}` : `web:dm:${of}`,
  channel: id,
  direct: of !== undefined,
});

/** The desk's caller for a person of the playground. */
export const callerFor = ({ id, name }: Person, locale: string): Caller => ({
  platform: 'web',
  id,
  name,
  locale,
});

/** Whether the person is a moderator of the room. The owner is none, because platforms do not know who that is. */
export const moderates = (person: Person, room: Room): boolean =>
  room.of === undefined && person.role === 'moderator' && person.home === room.id;

/** Whether the person may remove other people's messages in the room. */
export const mayRemoveIn = (person: Person, room: Room): boolean =>
  moderates(person, room) || (room.of === undefined && person.role === 'owner');

/** Lists all people in their communities, so that moderators can name people who have not written yet. */
export function knownUsers(hasOwner: boolean): readonly { readonly caller: Caller; readonly place: Place }[] {
  return peopleFor(hasOwner).flatMap((person) =>
    communitiesOf(person).map((room) => ({ caller: callerFor(person, 'en'), place: placeIn(room) })),
  );
}
