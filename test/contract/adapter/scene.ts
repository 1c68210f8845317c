import { expect } from 'vitest';
import type { CardRef } from '../../../src/command/place.ts';
import { jobAudience, type Reply } from '../../../src/command/reply.ts';
import { holds } from '../../eventually.ts';
import { jpeg } from '../../fakes/pictures.ts';
import { createScriptedDesk, type Heard, type ScriptedDesk } from '../../fakes/scripted-desk.ts';
import type { Ability, AdapterDriver, Person, Seen, Stage } from './driver.ts';
import { busy } from './views.ts';

/** One test's people, room and desk. */
export interface Scene extends Pick<Stage, 'ann' | 'bob' | 'mod' | 'eva'> {
  readonly stage: Stage;
  readonly desk: ScriptedDesk;
  /** The ids of this test's jobs begin with it. */
  readonly job: string;
  can(ability: Ability): boolean;
  holds<T>(check: () => T | Promise<T>): Promise<T>;
  /** The latest event that the desk heard, once it has heard so many. */
  heard(count: number): Promise<Heard>;
  /** The latest message that a person sees in the room, once there are as many. */
  last(person: Person, count: number): Promise<Seen>;
  /** The latest message with this text that a person sees, in the room or in their direct chat. */
  reads(person: Person, text: string): Promise<Seen>;
  /** All messages that a person sees, in the room and in their direct chat. */
  all(person: Person): Promise<readonly Seen[]>;
  /** Everything that was sent so far has been handled to its end. */
  settle(): Promise<void>;
  /** A command of Ann's with this answer; resolves to the message that she sees then. */
  show(reply: Reply): Promise<Seen>;
  /** A job's card on the screen, and where the adapter says it is. */
  openCard(isPrivate?: boolean): Promise<{ readonly card: CardRef; readonly seen: Seen }>;
}

let scenes = 0;

export const openScene = async ({ lacks, open }: AdapterDriver, patienceMs?: number): Promise<Scene> => {
  const desk = createScriptedDesk();
  let settled = '';
  /** Answers a command that only shows that all events before it have arrived. */
  const settling = (text: unknown): Reply | undefined => {
    const [mark] = /settled\d+/.exec(String(text)) ?? [];
    if (mark === undefined) return undefined;
    settled = mark;
    return { kind: 'told-before', text: mark };
  };
  const stage = await open({
    ...desk,
    turnAway: (incoming) => desk.turnAway(incoming),
    complete: (incoming, limit) => desk.complete(incoming, limit),
    command: async (incoming) => settling(incoming.given.topic) ?? desk.command(incoming),
    text: async (incoming) => settling(incoming.text) ?? desk.text(incoming),
  });
  scenes += 1;
  const job = `job${scenes}`;
  let marks = 0;
  const wait = <T>(check: () => T | Promise<T>): Promise<T> => holds(check, patienceMs);

  const scene: Scene = {
    stage,
    ann: stage.ann,
    bob: stage.bob,
    mod: stage.mod,
    eva: stage.eva,
    job,
    desk,
    can: (ability) => lacks[ability] === undefined,
    holds: wait,
    heard: (count) =>
      wait(() => {
        expect(desk.heard).toHaveLength(count);
        return desk.heard.at(-1) as Heard;
      }),
    last: (person, count) =>
      wait(async () => {
        const seen = await person.sees();
        expect(seen).toHaveLength(count);
        return seen.at(-1) as Seen;
      }),
    reads: (person, text) =>
      wait(async () => {
        const found = (await scene.all(person)).filter((each) => each.text.includes(text)).at(-1);
        expect(found, `a message with "${text}"`).toBeDefined();
        return found as Seen;
      }),
    all: async (person) => [...(await person.sees()), ...(await person.at('direct').sees())],
    async settle() {
      marks += 1;
      const mark = `settled${marks}`;
      await stage.mod.types({ command: 'help', given: { topic: mark } });
      await wait(() => expect(settled).toBe(mark));
      await stage.adapter.stop();
      await stage.crash();
    },
    async show(reply) {
      const before = (await scene.all(stage.ann)).map(({ id }) => id);
      desk.replies(reply);
      await stage.ann.types({ command: 'help' });
      return wait(async () => {
        const added = (await scene.all(stage.ann)).filter(({ id }) => !before.includes(id));
        expect(added, 'one message more').toHaveLength(1);
        return added[0] as Seen;
      });
    },
    async openCard(isPrivate = false) {
      const before = desk.cards.length;
      const name = `${job}-${before + 1}`;
      desk.replies({
        kind: 'card',
        job: name,
        view: busy('Place in line: 2', 0),
        audience: jobAudience(isPrivate),
      });
      const options = { filter: '12', ...(isPrivate ? { private: 'yes' } : {}) };
      await stage.ann.types({ command: 'faceswap', given: options, photos: { photo: await jpeg() } });
      const shown = await wait(() => {
        expect(desk.cards).toHaveLength(before + 1);
        return desk.cards.at(-1);
      });
      if (shown === undefined) throw new Error('no card was reported');
      expect(shown.job).toBe(name);
      return { card: shown.card, seen: await scene.reads(stage.ann, 'Place in line: 2') };
    },
  };
  return scene;
};
