import type { Ability } from '../driver.ts';
import type { Scene } from '../scene.ts';

/** One promise of adapters. */
export interface Run {
  (scene: Scene): Promise<void>;
  /** Abilities without which a platform cannot keep the promise. */
  readonly needs?: readonly Ability[];
}

/** Cases by what they promise; a text says why there is nothing to test. */
export type Cases = Readonly<Record<string, Run>> | string;

export const needing = (needs: readonly Ability[], run: Run): Run =>
  Object.assign(run.bind(undefined), { needs });

/** Lets everything happen that does not wait for a socket or a timer. */
export const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
};

/** All keys of all members of a union. */
export type KeysOf<Union> = Union extends unknown ? keyof Union : never;
