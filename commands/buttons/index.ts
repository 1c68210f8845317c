import type { ButtonDeclaration } from '../../src/command/command.ts';
import { again, retry } from './again.ts';
import { animate } from './animate.ts';
import { approvalDecisions } from './approval.ts';
import { act, ask, consent, page, pick } from './draft.ts';
import { erase } from './erase.ts';
import { face } from './face.ts';
import { cancel, compare, discard, remove, report, share, show, unshare } from './job.ts';
import { other } from './other.ts';
import { decisions } from './report.ts';
import { use } from './use.ts';

/** Every button, by its verb. */
export const buttons: readonly ButtonDeclaration[] = [
  again,
  retry,
  other,
  animate,
  compare,
  share,
  cancel,
  remove,
  unshare,
  discard,
  report,
  ...decisions,
  ...approvalDecisions,
  show,
  pick,
  face,
  ask,
  page,
  use,
  act,
  consent,
  erase,
];
