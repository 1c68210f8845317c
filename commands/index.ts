import type { Command } from '../src/command/command.ts';
import alias from './alias.ts';
import animate from './animate.ts';
import face from './face.ts';
import faceswap from './faceswap.ts';
import filters from './filters.ts';
import groupswap from './groupswap.ts';
import help from './help.ts';
import jobs from './jobs.ts';
import privacy from './privacy.ts';
import settings from './settings.ts';
import transition from './transition.ts';
import usage from './usage.ts';

/** Every command, in the order of /help. */
export const commands: readonly Command[] = [
  faceswap,
  groupswap,
  animate,
  transition,
  filters,
  face,
  jobs,
  usage,
  alias,
  settings,
  help,
  privacy,
];
