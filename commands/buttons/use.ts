import { defineButton } from '../../src/command/command.ts';
import type { Given } from '../../src/command/option.ts';
import { givePhotos } from '../../src/command/text/grammar.ts';

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
  async run({ start, words, commands }, { photos }, [letter = '', reference = '', ...excess]) {
    const found = Object.entries(USES).find(([name]) => name.startsWith(letter))?.[1];
    if (found === undefined || letter.length !== 1 || excess.length > 0)
      return { kind: 'note', text: words.press.stale };
    const given = { ...found.given, [found.option]: reference };
    const action = commands.find(({ name }) => name === found.command)?.action;
    return start(found.command, action === undefined ? given : givePhotos(action, given, photos));
  },
});
