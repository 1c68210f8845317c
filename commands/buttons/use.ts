import { defineButton } from '../../src/command/command.ts';
import type { Given } from '../../src/command/option.ts';

/** What the filters of /filters are used with: the command, its option, and what else it needs. */
export const USES = {
  face: { command: 'faceswap', option: 'filter', given: {} },
  realistic: { command: 'groupswap', option: 'style', given: { look: 'realistic' } },
  stylized: { command: 'groupswap', option: 'style', given: { look: 'stylized' } },
  classic: { command: 'groupswap', option: 'style', given: { look: 'classic' } },
  group: { command: 'groupswap', option: 'style', given: {} },
} as const satisfies Record<
  string,
  { readonly command: string; readonly option: string; readonly given: Given }
>;

/** `use:<draft>:<first letter of the use>:<reference>`: begins the command with this filter. */
export const use = defineButton({
  verb: 'use',
  about: 'draft',
  async run({ start, words }, _draft, [letter = '', reference = '', ...excess]) {
    const found = Object.entries(USES).find(([name]) => name.startsWith(letter))?.[1];
    if (found === undefined || letter.length !== 1 || excess.length > 0)
      return { kind: 'note', text: words.press.stale };
    return start(found.command, { ...found.given, [found.option]: reference });
  },
});
