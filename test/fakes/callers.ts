import type { APIInteraction } from 'discord.js';
import { readPlace } from '../../src/adapters/discord/payloads/interaction.ts';
import type { Caller, Place } from '../../src/command/place.ts';

/** Every kind of caller and every kind of place that permissions tell apart. */

/** The server that the permissions are about. */
export const home = '100';
/** Another server, of whose records nothing may be seen. */
export const other = '200';

const person = (id: string): Caller => ({ platform: 'discord', id, name: `person ${id}`, locale: 'en' });
/** One person of every kind that permissions tell apart. */
export const callers = {
  member: person('1'),
  moderator: person('2'),
  owner: person('3'),
  blocked: person('4'),
  'moderator of another community': person('5'),
  'demoted moderator': person('6'),
} as const;
/** A kind of caller. */
export type Kind = keyof typeof callers;
/** All kinds of callers, for tables of tests. */
export const kinds = Object.keys(callers) as readonly Kind[];

/** Discord's own events, as the adapter reads them. */
const places = {
  'the server': { guild_id: home, context: 0, authorizing_integration_owners: { 0: home } },
  'another server': { guild_id: other, context: 0, authorizing_integration_owners: { 0: other } },
  'a direct message': { context: 1, authorizing_integration_owners: { 0: '0' } },
  'a foreign server, installed by the person': {
    guild_id: '300',
    context: 0,
    authorizing_integration_owners: { 1: 'x' },
  },
} as const;
/** A kind of place. */
export type Where = keyof typeof places;
/** All kinds of places, for tables of tests. */
export const wheres = Object.keys(places) as readonly Where[];
/** The place of a caller’s event there, read from an event of Discord by the adapter’s own code. */
export const placeOf = (where: Where, caller: Caller): Place =>
  readPlace({ ...places[where], channel: { id: '9' }, user: { id: caller.id } } as unknown as APIInteraction);

/** Whether the platform says now that somebody is a moderator: a demoted one no longer is, and nobody is in a place that is no server of ours. */
export const isModerator = async ({ id }: Caller, { community }: Place): Promise<boolean> =>
  (id === callers.moderator.id && community === `discord:${home}`) ||
  (id === callers['moderator of another community'].id && community === `discord:${other}`);
