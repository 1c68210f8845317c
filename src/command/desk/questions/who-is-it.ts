import { defined } from '../../../base/defined.ts';
import type { Words } from '../../../words/words.ts';
import type { Look } from '../../ports.ts';
import type { Reply } from '../../reply.ts';
import type { Button, View } from '../../view.ts';
import { rows } from './paging.ts';

const IN_ROW = 5;

/**
 * Asks about a photo that does not show who it should. `instead`: the command for what it shows. Presses are
 * `look:<draft>:<number of a person, anyway or a command>`.
 */
export function askWhoIsIt(
  draft: string,
  { wrong, people, sheet, spots }: Look,
  instead: string | undefined,
  isPrivate: boolean,
  { look }: Words,
): Reply {
  const button = (chosen: string, label: string): Button => ({ action: `look:${draft}:${chosen}`, label });
  const anyway = button('anyway', look.anyway);
  const faces = people.map((_, index): Button => {
    const number = String(index + 1);
    return { ...button(number, number), choice: true, ...defined({ spot: spots?.[index] }) };
  });
  const asked: Readonly<Record<Look['wrong'], Pick<View, 'title' | 'lines' | 'buttons'>>> = {
    'no-face': { title: look.noFace, lines: [look.noFaceLine], buttons: [[anyway]] },
    'too-few': {
      title: people.length === 0 ? look.noFace : look.oneFace,
      lines: [look.tooFewLine],
      buttons: [[anyway, ...(instead === undefined ? [] : [button(instead, look.swapOne)])]],
    },
    several: {
      title: look.whoIsIt,
      lines: [look.pressNumber, ...(instead === undefined ? [] : [look.everybodyLine])],
      buttons: [...rows(faces, IN_ROW), [instead === undefined ? anyway : button(instead, look.everybody)]],
    },
  };
  const view = { tone: 'ask', ...asked[wrong], ...defined({ media: sheet }) } as const;
  return { kind: 'message', private: isPrivate || 'in-place', view };
}
