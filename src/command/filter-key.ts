import { filterOf, type GenerateRequest, typedFilter } from './kinds.ts';
import { ALIAS_NAME } from './read-arguments.ts';
import type { ListName } from './request.ts';

/** A filter under the same name in every list that has it: `face:12`, `mine:<UUID>`, `alias:<name>`. `value`: what is typed. */
export function filterKey(catalog: ListName, value: string): string {
  if (/^\d+$/.test(value)) return `${catalog}:${value}`;
  return ALIAS_NAME.test(value) ? `alias:${value}` : `mine:${value.toLowerCase()}`;
}

/** The filter of a request; undefined: it has none. */
export function filterKeyOf(request: GenerateRequest): string | undefined {
  const filter = filterOf(request);
  return filter && filterKey(filter.list, typedFilter(filter.choice));
}
