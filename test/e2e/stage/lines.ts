import type { Line } from './chat.ts';
import { photoOf } from './pictures.ts';

/** What people say again and again. */

export const photo = await photoOf('#c02020');

export const swap: Line = {
  command: 'faceswap',
  given: { filter: '3', gender: 'female' },
  photos: { photo },
};

export const prompted = (prompt: string): Line => ({
  command: 'faceswap',
  given: { prompt },
  photos: { photo },
});

export const settings = (subcommand: string, given: Record<string, string> = {}): Line => ({
  command: `settings ${subcommand}`,
  given,
});
