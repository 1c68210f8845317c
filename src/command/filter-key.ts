import type { ListName } from './ports.ts';
import { ALIAS_NAME } from './read-arguments.ts';
import type { FilterChoice, GenerateRequest } from './request.ts';

/** A filter under the same name in every list that has it: `face:12`, `mine:<UUID>`, `alias:<name>`. `value`: what is typed. */
export function filterKey(catalog: ListName, value: string): string {
  if (/^\d+$/.test(value)) return `${catalog}:${value}`;
  return ALIAS_NAME.test(value) ? `alias:${value}` : `mine:${value.toLowerCase()}`;
}

function chosen(request: GenerateRequest): readonly [ListName, FilterChoice] | undefined {
  switch (request.kind) {
    case 'face-swap-v6':
    case 'face-swap-v5':
      return ['face', request.filter];
    case 'face-swap-v1':
      return ['face-v1', request.filter];
    case 'multi-swap-realistic':
      return ['realistic', request.style];
    case 'multi-swap-stylized':
      return ['stylized', request.style];
    case 'multi-swap-classic':
      return ['classic', request.style];
    default:
      return undefined;
  }
}

/** The filter of a request; undefined: it has none. */
export function filterKeyOf(request: GenerateRequest): string | undefined {
  const [catalog, filter] = chosen(request) ?? [];
  if (catalog === undefined || filter === undefined) return undefined;
  return filterKey(catalog, filter.by === 'alias' ? filter.name : String(filter.id));
}
