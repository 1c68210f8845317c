import type { HiddenIds } from '../frame/hidden-ids.ts';
import { ROOT } from '../frame/layout.ts';

export function jobPath(id: string): string {
  return `${ROOT}/jobs/${id}`;
}

export function communityPath(community: string, ids: HiddenIds): string {
  return `${ROOT}/communities/${ids.hide(community)}`;
}
