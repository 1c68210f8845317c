import { expect } from 'vitest';
import type { CardRef } from '../../../src/command/place.ts';
import { holds } from '../../eventually.ts';
import type { AdapterDriver, Person, Seen, Stage } from './driver.ts';
import { jpeg } from './pictures.ts';
import { createScriptedDesk, type ScriptedDesk } from './scripted-desk.ts';
import { busy } from './views.ts';

/** One test's adapter, platform and desk. */
export interface Scene {
  readonly desk: ScriptedDesk;
  readonly stage: Stage;
  /** The latest message that a person sees, once there are as many. */
  last(person: Person, count: number): Promise<Seen>;
  /** A job's card on the screen, and where the adapter says it is. */
  openCard(isPrivate?: boolean): Promise<{ readonly card: CardRef; readonly seen: Seen }>;
}

export const openScene = async (driver: AdapterDriver): Promise<Scene> => {
  const desk = createScriptedDesk();
  const stage = await driver.start(desk);
  return {
    desk,
    stage,
    last: (person, count) =>
      holds(async () => {
        const seen = await person.room();
        expect(seen).toHaveLength(count);
        return seen.at(-1) as Seen;
      }),
    async openCard(isPrivate = false) {
      desk.replies({ kind: 'card', job: 'job-1', view: busy('Place in line: 2', 0), private: isPrivate });
      const options = { filter: '12', ...(isPrivate ? { private: 'yes' } : {}) };
      await stage.ann.type('/faceswap', options, await jpeg());
      const shown = await holds(() => {
        expect(desk.cards).toHaveLength(1);
        return desk.cards[0];
      });
      expect(shown?.job).toBe('job-1');
      if (shown === undefined) throw new Error('no card was reported');
      const room = await stage.ann.room();
      const seen = (isPrivate ? [...room, ...(await stage.ann.inbox())] : room).at(-1);
      return { card: shown.card, seen: seen as Seen };
    },
  };
};
