import { createHash } from 'node:crypto';
import { customFilters } from '../render/filters/all.ts';
import { CUSTOM_FACE_FILTERS, SELF_CREATED_FILTERS } from '../render/filters/custom.ts';
import { customScenes } from '../render/scenes/all.ts';

export type ModelType = 'face_swap' | 'multi_swap';

export interface CustomFilter {
  uuid: string;
  label: string;
  filterType: ModelType;
  origin: 'paid' | 'self_created';
  key: string;
}

export type CustomFilters = ReturnType<typeof createCustomFilters>;

/** Every user owns the same filters under UUIDs of their own, which stay the same after a restart. */
export function createCustomFilters(users: string[]) {
  const owned = new Map(users.map((user) => [user, filtersOf(user)]));
  return {
    list: (user: string): CustomFilter[] => owned.get(user) ?? [],
    find: (user: string, uuid: string): CustomFilter | undefined =>
      owned.get(user)?.find((filter) => filter.uuid === uuid.toLowerCase()),
  };
}

function filtersOf(user: string): CustomFilter[] {
  return customFilters.map(({ key, name }) => ({
    uuid: stableUuid(`${user}/${key}`),
    label: name,
    filterType: name in customScenes || name in CUSTOM_FACE_FILTERS ? 'face_swap' : 'multi_swap',
    origin: SELF_CREATED_FILTERS.has(name) ? 'self_created' : 'paid',
    key,
  }));
}

function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
