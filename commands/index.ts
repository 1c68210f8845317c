import type { Command } from '../src/command/command.ts';
import animate from './animate.ts';
import faceswap from './faceswap.ts';
import groupswap from './groupswap.ts';
import help from './help.ts';
import transition from './transition.ts';

/** Every command, in the order of /help. */
export const commands: readonly Command[] = [faceswap, groupswap, animate, transition, help];
