import type { ButtonDeclaration } from '../../src/command/command.ts';
import { decisions } from './decisions.ts';
import { act, album, ask, consent, face, look, page, pick } from './draft.ts';
import { erase } from './erase.ts';
import { jobButtons } from './job.ts';
import { use } from './use.ts';

/** Every button, by its verb. */
export const buttons: readonly ButtonDeclaration[] = [
  ...jobButtons,
  ...decisions,
  ...[pick, face, look, ask, page, use, act, album, consent, erase],
];
