import { isUuid, isYesOrNo } from './fits.ts';
import type { Given, Option, Options } from './option.ts';
import type { Token } from './tokens.ts';

/** A value that was given without a name, before or after the words of a scene. */
export interface Placed {
  readonly name: string;
  readonly pieces: readonly Token[];
}

/** Does the text of this option describe something, as people speak? */
export const isProse = (option: Option | undefined): boolean =>
  option?.kind === 'text' && option.ideas !== undefined;

/**
 * Words beside a description may be part of it: nothing of what somebody wrote is to be lost.
 * - "she says yes" is no answer to an option that was not named, and "as on Apollo 11" names no filter: where there is
 *   a description there is none.
 * - A choice that stands alone there ("a viking in a wide landscape") is one, and a word of the description too.
 * - Several values side by side ("… performance 8s"), and what nobody writes in prose, are values and nothing else.
 */
export const besideProse = (
  options: Options,
  textName: string,
  given: Given,
  ends: { readonly before: readonly Placed[]; readonly after: readonly Placed[] },
  prose: readonly Token[],
): { readonly given: Given; readonly text: readonly Token[] } => {
  const kept: Record<string, Given[string]> = { ...given };

  const isRatherProse = ({ name, pieces: [word, ...more] }: Placed, after: boolean): boolean => {
    const option = options[name];
    if (word === undefined || more.length > 0) return false;
    if (option?.kind === 'flag') return isYesOrNo(word.text);
    const isInstead = after && option?.kind === 'reference' && option.or === textName;
    return isInstead && !word.quoted && !word.text.startsWith('#') && !isUuid(word.text);
  };
  const ruledOut = (name: string, word: string): boolean =>
    Object.values(options).some(
      ({ or, orUnless }) => or === textName && orUnless?.[name]?.includes(word.toLowerCase()),
    );

  /** `run` begins with the value that touches the prose. */
  const ofProse = (run: readonly Placed[], neighbour: Token | undefined, after: boolean): Token[] => {
    const found: Token[] = [];
    if (neighbour === undefined || neighbour.quoted) return found;
    let left = run;
    for (let [next] = left; next !== undefined && isRatherProse(next, after); [next] = left) {
      delete kept[next.name];
      found.push(...next.pieces);
      left = left.slice(1);
    }
    const [lone, ...others] = left;
    const [word] = lone?.pieces ?? [];
    if (lone === undefined || word === undefined || others.length > 0) return found;
    if (options[lone.name]?.kind !== 'choice' || !/^\p{L}+$/u.test(word.text)) return found;
    if (ruledOut(lone.name, word.text)) delete kept[lone.name];
    return [...found, word];
  };

  const before = ofProse(ends.before, prose[0], false).reverse();
  const after = ofProse(ends.after, prose.at(-1), true);
  return { given: kept, text: [...before, ...prose, ...after] };
};
