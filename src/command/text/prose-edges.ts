import type { Given, Option, Options } from '../option.ts';
import { isUuid, isYesOrNo } from './could-be-value.ts';
import type { Token } from './tokens.ts';

/** A value that was given without a name, before or after the words of a scene. */
export interface AssignedValue {
  readonly name: string;
  readonly pieces: readonly Token[];
}

/** Does the text of this option describe something, as people speak? */
export const isProse = (option: Option | undefined): boolean =>
  option?.kind === 'text' && option.ideas !== undefined;

/**
 * Words beside a description that look like values and are part of it: "she says yes" is no answer to an option that
 * was not named, and "as on Apollo 11" names no filter, as there is none where there is a description. Choices
 * ("… performance 8s") are choices.
 */
export const besideProse = (
  options: Options,
  textName: string,
  given: Given,
  ends: { readonly before: readonly AssignedValue[]; readonly after: readonly AssignedValue[] },
  prose: readonly Token[],
): { readonly given: Given; readonly text: readonly Token[] } => {
  const kept: Record<string, Given[string]> = { ...given };

  const isRatherProse = ({ name, pieces: [word, ...more] }: AssignedValue, after: boolean): boolean => {
    const option = options[name];
    if (word === undefined || more.length > 0) return false;
    if (option?.kind === 'flag') return isYesOrNo(word.text);
    const isInstead = after && option?.kind === 'reference' && option.or === textName;
    return isInstead && !word.quoted && !word.text.startsWith('#') && !isUuid(word.text);
  };
  /** `run` begins with the value that touches the prose. */
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
};
