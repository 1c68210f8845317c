import { isPersonal } from '../../command/place.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { ROOT } from '../frame/layout.ts';

export const jobPath = (id: string): string => `${ROOT}/jobs/${id}`;

export const communityPath = (community: string, ids: HiddenIds): string =>
  `${ROOT}/communities/${ids.hide(community)}`;

/** An id as it was typed: the platform in any case. */
export const typedPerson = (typed: string): string =>
  typed.trim().replace(/^[a-z]+:/i, (platform) => platform.toLowerCase());

/** The rest of a direct chat's id is a person's id, and stays as typed. */
export function typedCommunity(typed: string): string {
  const id = typedPerson(typed);
  return isPersonal(id) ? id : id.toLowerCase();
}
