import { html } from 'hono/html';
import { isPersonal } from '../../command/place.ts';
import type { JobMark, JobQuery } from '../../store/tables/job-search.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { type Html, outsideText } from '../frame/html.ts';
import { CONSOLE_PATH } from '../frame/layout.ts';

export const JOBS_PATH = `${CONSOLE_PATH}/jobs`;

export const REMOVALS_PATH = `${CONSOLE_PATH}/removals`;

export const jobPath = (id: string): string => `${JOBS_PATH}/${id}`;

/** Makes the URL of a search. */
export function searchPath(
  { state, kind, community, person }: JobQuery,
  ids: HiddenIds,
  after?: JobMark,
): string {
  const fields = {
    state,
    kind,
    community: community && ids.hide(community),
    person: person && ids.hide(person),
    after: after && `${after.createdAt}-${after.seq}`,
  };
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) if (value) given.set(name, value);
  return given.size === 0 ? JOBS_PATH : `${JOBS_PATH}?${given}`;
}

export const communityPath = (community: string, ids: HiddenIds): string =>
  `${CONSOLE_PATH}/communities/${ids.hide(community)}`;

export const communityLink = (community: string, ids: HiddenIds): Html =>
  html`<a href="${communityPath(community, ids)}">${outsideText(community)}</a>`;

/** Links to the jobs of a person. */
export const personLink = (person: string, ids: HiddenIds): Html =>
  html`<a href="${searchPath({ person }, ids)}">${outsideText(person)}</a>`;

/** Reads a typed id, whose platform may be in upper case. */
export const typedPerson = (typed: string): string =>
  typed.trim().replace(/^[a-z]+:/i, (platform) => platform.toLowerCase());

/** Reads a typed community id. It is made lower case, except for direct chats, whose id ends with a person's id. */
export function typedCommunity(typed: string): string {
  const id = typedPerson(typed);
  return isPersonal(id) ? id : id.toLowerCase();
}
