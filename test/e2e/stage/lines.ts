import { eventually } from '../../eventually.ts';
import type { Line, Person, Seen } from './chat.ts';
import { photoOf } from './pictures.ts';

/** Lines that people type in many tests. */

export const photo = await photoOf('#c02020');

export const swap: Line = {
  command: 'faceswap',
  given: { filter: '3', gender: 'female' },
  photos: { photo },
};

export const swapOf = (filter: string): Line => ({ ...swap, given: { filter, gender: 'female' } });

export const alias = (subcommand: string, given: Record<string, string> = {}): Line => ({
  command: `alias ${subcommand}`,
  given,
});

export const prompted = (prompt: string): Line => ({
  command: 'faceswap',
  given: { prompt },
  photos: { photo },
});

export const settings = (subcommand: string, given: Record<string, string> = {}): Line => ({
  command: `settings ${subcommand}`,
  given,
});

/** A private result. */
export const hidden = (person: Person): Promise<Seen> =>
  person.types({ ...swap, given: { ...swap.given, private: 'yes' } }).result('the private result');

export const sharedIn = (person: Person): readonly Seen[] =>
  person.seenByAll().filter(({ text }) => text.includes('Shared by'));

/** /jobs, once it is as wanted: a result is seen a moment before it is written down that it was. */
export const jobsOf = (person: Person, fits: (list: Seen) => boolean, what: string): Promise<Seen> =>
  eventually(async () => {
    const list = await person.types({ command: 'jobs' }).answer();
    return fits(list) && list;
  }, what);
