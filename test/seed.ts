import fc from 'fast-check';

/**
 * The same examples in every run, so that a red run means a change and not a throw of the dice. To explore others:
 * FC_SEED=random npm test (a failure prints its seed).
 */
const seed = process.env.FC_SEED ?? '20261115';
if (seed !== 'random') fc.configureGlobal({ seed: Number(seed) });

// Node's own HTTP client is loaded before the copy among the dependencies, as it is in the program: the first of them
// answers for discord.js, and the copy refuses Node's forms.
export const loaded = new FormData();
