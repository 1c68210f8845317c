import { createHash } from 'node:crypto';
import { customFilters } from '../render/filters/all.ts';
import { SELF_CREATED_FILTERS } from '../render/filters/custom.ts';
import { USER } from '../storage/account.ts';

/** The word for the model of a custom filter in the interface. */
export type FilterTypeWord = 'face_swap' | 'multi_swap';

interface CustomFilter {
  uuid: string;
  label: string;
  filterType: FilterTypeWord;
  origin: 'paid' | 'self_created';
  key: string;
}

/** The user's custom filters, with UUIDs that stay the same after a restart. */
export const filtersWithUuid: readonly CustomFilter[] = customFilters.map(({ key, name, isForGroups }) => ({
  uuid: stableUuid(`${USER}/${key}`),
  label: name,
  filterType: isForGroups ? 'multi_swap' : 'face_swap',
  origin: SELF_CREATED_FILTERS.has(name) ? 'self_created' : 'paid',
  key,
}));

export const findCustomFilter = (uuid: string): CustomFilter | undefined =>
  filtersWithUuid.find((filter) => filter.uuid === uuid.toLowerCase());

function stableUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'[Number.parseInt(hex.charAt(16), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
