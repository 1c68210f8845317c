import { isPersonal } from '../../command/place.ts';
import type { HiddenIds } from '../frame/hidden-ids.ts';
import { ROOT } from '../frame/layout.ts';

export function jobPath(id: string): string {
  return `${ROOT}/jobs/${id}`;
}

export function communityPath(community: string, ids: HiddenIds): string {
  return `${ROOT}/communities/${ids.hide(community)}`;
}

/** An id as it was typed: the platform in any case. */
export function typedPerson(typed: string): string {
  return typed.trim().replace(/^[a-z]+:/i, (platform) => platform.toLowerCase());
}

/** The rest of a direct chat's id is a person's id, and stays as typed. */
export function typedCommunity(typed: string): string {
  const id = typedPerson(typed);
  return isPersonal(id) ? id : id.toLowerCase();
}
