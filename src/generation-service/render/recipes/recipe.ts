import type { Operation } from '../canvas.ts';

/** A named look: steps that turn a photo into the picture. */
export interface Recipe {
  /** Unique over all tables, such as `face/12`. */
  key: string;
  id: number;
  name: string;
  /** Not offered for groups. */
  singleOnly?: boolean;
  steps: Operation[];
}

interface Entry {
  name: string;
  singleOnly?: boolean;
  steps: Operation[];
}

/** Numbers the entries of a table from 1. */
export const catalog = (set: string, entries: Entry[]): Recipe[] =>
  entries.map((entry, index) => ({ ...entry, id: index + 1, key: `${set}/${index + 1}` }));
