import { commands } from '../../commands/index.ts';
import { withoutMinors } from '../command/without-minors.ts';
import type { Config } from '../config/config.ts';

/** The commands as the owner lets people use them, for the desk and for what platforms offer. */
export const commandsFor = ({ minors }: Pick<Config, 'minors'>) =>
  minors === 'refuse' ? withoutMinors(commands) : commands;
