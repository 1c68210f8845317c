import { isUuid } from '../../base/uuid.ts';
import type { Given, Option, Options } from '../option.ts';
import { isYesOrNo } from './could-be-value.ts';
import type { Token } from './tokens.ts';

/** A value without an option name, before or after a prompt. */
export interface AssignedValue {
  readonly name: string;
  readonly pieces: readonly Token[];
}

/** Whether this option's text is prose. */
export const isProse = (option: Option | undefined): boolean =>
  option?.kind === 'text' && option.ideas !== undefined;

/**
 * Words next to a prompt that look like values but belong to it: in "she says yes", "yes" is not a flag, and in "as on
 * Apollo 11", "11" is not a filter, because a prompt excludes one. Choices ("… performance 8s") are values.
 */
export function besideProse(
  options: Options,
  textName: string,
  given: Given,
  ends: { readonly before: readonly AssignedValue[]; readonly after: readonly AssignedValue[] },
  prose: readonly Token[],
): { readonly given: Given; readonly text: readonly Token[] } {
  const kept: Record<string, Given[string]> = { ...given };

  const isRatherProse = ({ name, pieces: [word, ...more] }: AssignedValue, after: boolean): boolean => {
    const option = options[name];
    if (word === undefined || more.length > 0) return false;
    if (option?.kind === 'flag') return isYesOrNo(word.text);
    const isInstead = after && option?.kind === 'reference' && option.or === textName;
    return isInstead && !word.quoted && !word.text.startsWith('#') && !isUuid(word.text);
  };
  /** `run` starts with the value next to the prose. */
  const ofProse = (run: readonly AssignedValue[], neighbour: Token | undefined, after: boolean): Token[] => {
    const found: Token[] = [];
    if (neighbour === undefined || neighbour.quoted) return found;
    for (const next of run) {
      if (!isRatherProse(next, after)) break;
      delete kept[next.name];
      found.push(...next.pieces);
    }
    return found;
  };

  const before = ofProse(ends.before, prose[0], false).reverse();
  const after = ofProse(ends.after, prose.at(-1), true);
  return { given: kept, text: [...before, ...prose, ...after] };
}
