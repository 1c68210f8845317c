import { createTurns } from './turns.ts';

/**
 * Every picture that is decoded or encoded takes a turn here: pixels are large. Each occupies one of the four threads
 * that Node has for such work; the fourth is for the disk, which acceptances wait for.
 */
export const pixels = createTurns(3);
