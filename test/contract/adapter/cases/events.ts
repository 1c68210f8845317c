import { expect } from 'vitest';
import type { Desk, Incoming } from '../../../../src/command/desk.ts';
import {
  jobAudience,
  type Meanwhile,
  type Reply,
  type ReplyOf,
  refusal,
} from '../../../../src/command/reply.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import type { Scene } from '../scene.ts';
import { asks, busy, line, offers } from '../views.ts';
import { type Cases, needing } from './cases.ts';
import { onlyFor, openQuestion } from './messages.ts';

/** Actions of people, as the desk hears of them. */

/** After `repeat` everything was heard under an id that was known before, and everybody sees what they saw before. */
const unchangedBy = async (scene: Scene, repeat: () => Promise<void>): Promise<void> => {
  const before = new Set(scene.desk.heard.map(({ event }) => event));
  const views = (): Promise<readonly unknown[]> =>
    Promise.all(
      [scene.ann, scene.bob].map(async (each) =>
        (await scene.all(each)).map(({ id, text }) => ({ id, text })),
      ),
    );
  const seen = await views();
  await repeat();
  await scene.settle();

  expect([...before]).toEqual(expect.arrayContaining(scene.desk.heard.map(({ event }) => event)));
  expect(await views()).toEqual(seen);
};

/** The desk gives the same reply to each of the next three events. */
const always = (scene: Scene, reply: Reply): void => scene.desk.replies(reply, reply, reply);

/** A command is delivered again after `between`, and is answered once. */
const once = async (scene: Scene, between: () => Promise<void>): Promise<void> => {
  always(scene, { kind: 'message', audience: 'everyone', view: line('Once') });
  await scene.ann.types({ command: 'help' });
  await scene.last(scene.bob, 1);
  await unchangedBy(scene, async () => {
    await between();
    await scene.ann.repeats();
  });
};

/** A command whose process ends while it is handled. */
const interrupted = async (scene: Scene): Promise<void> => {
  // A session is known to the next process once it was stored.
  await scene.settle();
  scene.desk.replies(new Promise<never>(() => {}), {
    kind: 'message',
    audience: 'everyone',
    view: line('Here after all'),
  });
  await scene.ann.types({ command: 'help' });
  await scene.heard(1);
  await scene.stage.crash();

  // A late answer may be for its caller alone.
  expect((await scene.last(scene.ann, 1)).text).toContain('Here after all');
};

const eventCases: Cases = {
  'every event has an id of its own, and so has every press': async (scene) => {
    const { seen } = await scene.openCard();
    await scene.ann.types({ command: 'help' });
    await scene.heard(2);
    for (const [count, person] of [scene.ann, scene.ann, scene.bob].entries()) {
      await person.presses(seen, 'Cancel');
      await scene.heard(count + 3);
    }

    expect(new Set(scene.desk.heard.map(({ event }) => event)).size).toBe(5);
  },
  'a command that is delivered again is answered once': (scene) => once(scene, async () => undefined),
  'a job whose command is delivered again has one card': async (scene) => {
    const job = `${scene.job}-once`;
    always(scene, { kind: 'card', job, view: busy('One card', 0), audience: 'everyone' });
    await scene.ann.types({ command: 'faceswap', given: { filter: '12' }, photos: { photo: await jpeg() } });
    await scene.last(scene.bob, 1);

    await unchangedBy(scene, scene.ann.repeats);
  },
  'a press that is delivered again is answered once': async (scene) => {
    const { seen } = await scene.openCard();
    always(scene, { kind: 'message', audience: 'everyone', view: line('Pressed') });
    await scene.ann.presses(seen, 'Cancel');
    await scene.reads(scene.bob, 'Pressed');

    await unchangedBy(scene, scene.ann.repeats);
  },
  'a written answer that is delivered again is answered once': async (scene) => {
    const question = await openQuestion(scene, asks('d1'));
    always(scene, { kind: 'message', audience: 'everyone', view: line('Written') });
    await scene.ann.answers(question, 'a slow zoom');
    await scene.reads(scene.bob, 'Written');

    await unchangedBy(scene, scene.ann.repeats);
  },
  'an event that is delivered again to the next process is answered once': needing(
    ['repeats of what was confirmed'],
    (scene) => once(scene, scene.settle),
  ),
  'an event that is delivered again after a crash is answered once': needing(
    ['one answer after a crash'],
    (scene) => once(scene, scene.stage.crash),
  ),
  'an event that a crash interrupted is handled by the next process, under the same id': needing(
    ['events after a crash'],
    async (scene) => {
      await interrupted(scene);
      expect(new Set(scene.desk.heard.map(({ event }) => event)).size).toBe(1);
    },
  ),
};

const nobodyReads = (scene: Scene, text: string): Promise<void> =>
  scene.holds(async () => {
    for (const each of [scene.ann, scene.bob])
      expect((await scene.all(each)).map((seen) => seen.text).join()).not.toContain(text);
  });

/** `happens` while an answer takes long and says so; it ends the wait with `finish`. Afterwards nobody reads that it takes long. */
const whileSlow = async (
  scene: Scene,
  answer: Reply,
  shown: Partial<Meanwhile>,
  happens: (finish: () => void) => Promise<void>,
): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  scene.desk.replies(async ({ meanwhile }) => {
    meanwhile?.({
      kind: 'message',
      audience: 'everyone',
      view: { tone: 'busy', title: 'One moment', lines: [] },
      ...shown,
    });
    await promise;
    return answer;
  });
  await happens(resolve).finally(resolve);
  await nobodyReads(scene, 'One moment');
};

const slowCard = (scene: Scene, isPrivate = false): ReplyOf<'card'> => {
  const view = busy('Place in line: 1', 0);
  return { kind: 'card', job: `${scene.job}-slow`, view, audience: jobAudience(isPrivate) };
};

const meanwhileCases: Cases = {
  'what is shown while a command takes long becomes its card': async (scene) => {
    await whileSlow(scene, slowCard(scene), {}, async (finish) => {
      await scene.ann.types({
        command: 'faceswap',
        given: { filter: '12' },
        photos: { photo: await jpeg() },
      });
      const shown = await scene.reads(scene.ann, 'One moment');
      finish();
      expect((await scene.reads(scene.bob, 'Place in line: 1')).id).toBe(shown.id);
    });
    expect(await scene.ann.sees()).toHaveLength(1);
    await scene.holds(() => expect(scene.desk.cards).toHaveLength(1));
  },
  'what is shown while a private command takes long is for its caller only, and so is its card': (scene) =>
    whileSlow(scene, slowCard(scene, true), { audience: 'caller' }, async (finish) => {
      const options = { filter: '12', private: 'yes' };
      await scene.ann.types({ command: 'faceswap', given: options, photos: { photo: await jpeg() } });
      await onlyFor(scene, 'One moment');

      finish();
      await onlyFor(scene, 'Place in line: 1');
    }),
  'what is shown while a press takes long takes the place of the question, and becomes the card': async (
    scene,
  ) => {
    const question = await openQuestion(scene, offers('d1'));
    const answer = { ...slowCard(scene), replaces: true };
    await whileSlow(scene, answer, { replaces: true }, async (finish) => {
      await scene.ann.presses(question, 'Noir');
      expect((await scene.reads(scene.ann, 'One moment')).id).toBe(question.id);
      finish();
      expect((await scene.reads(scene.bob, 'Place in line: 1')).id).toBe(question.id);
    });
  },
  'a refusal, too, takes the place of what was shown while a press took long': async (scene) => {
    const question = await openQuestion(scene, offers('d1'));
    await whileSlow(scene, refusal('Not today'), { replaces: true }, async (finish) => {
      await scene.ann.presses(question, 'Noir');
      await scene.reads(scene.ann, 'One moment');
      finish();
      await scene.reads(scene.ann, 'Not today');
    });
  },
  'what is shown while a press of a card takes long leaves the card as it is': async (scene) => {
    const { seen } = await scene.openCard();
    await whileSlow(scene, slowCard(scene), {}, async (finish) => {
      await scene.ann.presses(seen, 'Cancel');
      await scene.reads(scene.ann, 'One moment');
      finish();
      await scene.reads(scene.bob, 'Place in line: 1');
    });
    expect((await scene.ann.sees()).find(({ id }) => id === seen.id)).toEqual(seen);
  },
  'what a crash leaves of an answer that took long becomes the answer of the next process': needing(
    ['slow answers after a crash'],
    async (scene) => {
      await scene.settle();
      scene.desk.replies(
        ({ meanwhile }) => {
          meanwhile?.({
            kind: 'message',
            audience: 'everyone',
            view: { tone: 'busy', title: 'One moment', lines: [] },
          });
          return new Promise<never>(() => {});
        },
        { kind: 'message', audience: 'everyone', view: line('Something else') },
        ...Array.from(
          { length: 3 },
          () => ({ kind: 'message', audience: 'everyone', view: line('Here after all') }) as const,
        ),
      );
      await scene.ann.types({ command: 'help' });
      await scene.reads(scene.ann, 'One moment');

      // The place of the message is stored before anything that comes later.
      await scene.eva.types({ command: 'help' });
      await scene.reads(scene.bob, 'Something else');

      await scene.stage.crash();
      await scene.reads(scene.bob, 'Here after all');

      await nobodyReads(scene, 'One moment');
    },
  ),
};

export const incomingCases = {
  event: eventCases,
  isNew: {
    'an event that a crash interrupted is not new to the next process': needing(
      ['events after a crash'],
      async (scene) => {
        await interrupted(scene);
        expect(scene.desk.heard.slice(1).filter(({ isNew }) => isNew)).toEqual([]);
      },
    ),
  },
  caller: {
    'the caller of an event has id, name and language': async (scene) => {
      await scene.ann.types({ command: 'help' });
      expect((await scene.heard(1)).caller).toEqual(scene.ann.caller);

      await scene.eva.types({ command: 'help' });
      expect((await scene.heard(2)).caller).toEqual(scene.eva.caller);
      expect(scene.eva.caller.locale).toBe('de');
    },
  },
  place: {
    'an event in the room has the room as its place': async (scene) => {
      const { seen } = await scene.openCard();
      await scene.bob.presses(seen, 'Cancel');
      await scene.heard(2);
      expect(scene.desk.heard.map(({ place }) => place)).toEqual([scene.stage.place, scene.stage.place]);
    },
  },
  roles: {
    'the roles of the caller come with the event': needing(['roles'], async (scene) => {
      await scene.mod.types({ command: 'help' });
      expect((await scene.heard(1)).roles).toHaveLength(1);
      await scene.ann.types({ command: 'help' });
      expect((await scene.heard(2)).roles).toEqual([]);
    }),
  },
  answer: 'tested with `find`, which is what it is for',
  pressed: {
    'a press says which message was pressed': async (scene) => {
      const { seen } = await scene.openCard();
      const { seen: other } = await scene.openCard();
      expect(other.id).not.toBe(seen.id);

      await scene.bob.presses(seen, 'Cancel');
      const { pressed } = await scene.heard(3);
      if (pressed === undefined) throw new Error('nobody knows which message it was');
      await scene.stage.adapter.draw(pressed, line('It was me'), 'final');
      const now = await scene.bob.sees();

      expect(now.find(({ id }) => id === seen.id)?.text).toContain('It was me');
      expect(now.find(({ id }) => id === other.id)?.text).not.toContain('It was me');
    },
  },
  press: 'set by the desk itself',
  againOf: 'set by the desk itself',
  forgotten: 'set by the desk itself',
  begunAt: 'set by the desk itself',
  meanwhile: meanwhileCases,
} satisfies Record<keyof Incoming, Cases>;

/** Eva, whose language is German, does something with which the desk fails. */
const broken = async (scene: Scene, act: () => Promise<void>): Promise<void> => {
  scene.desk.replies(new Error('secret detail'));
  await act();
  await scene.reads(scene.eva, wordsFor('de').somethingBroke);
  expect((await scene.all(scene.eva)).map(({ text }) => text).join()).not.toContain('secret detail');
};

const everyEvent = 'tested with every event';

export const deskCases = {
  command: {
    'the options of a command are received': async (scene) => {
      await scene.ann.types({
        command: 'faceswap',
        given: { filter: 'Pop Art' },
        photos: { photo: await jpeg() },
      });
      const { given, line: text, photos } = await scene.heard(1);
      expect(given.filter ?? text).toContain('Pop Art');
      expect(photos).toHaveLength(1);
    },
    'an error of the desk is answered in the caller’s language, without its details': (scene) =>
      broken(scene, () => scene.eva.types({ command: 'help' })),
    'an error of the desk after a press is answered, too': async (scene) => {
      const { seen } = await scene.openCard();
      await broken(scene, () => scene.eva.presses(seen, 'Cancel'));
    },
  },
  text: everyEvent,
  press: everyEvent,
  answer: everyEvent,
  complete: {
    'as many completions are offered as the platform shows': needing(['completions'], async (scene) => {
      let most = 0;
      scene.desk.completions = (limit) => {
        most = limit;
        return Array.from({ length: limit }, (_, index) => ({
          value: `${index + 1}`,
          label: `Filter ${index + 1} ${'with a long name '.repeat(20)}`,
        }));
      };
      const offered = await scene.ann.completes('faceswap', 'filter', 'Fil');

      expect(offered).toHaveLength(most);
      expect(offered[0]).toContain('Filter 1');
    }),
  },
  turnAway: {
    'whoever is turned away gets no other answer': needing(['own answers'], async (scene) => {
      scene.desk.turnedAway = { kind: 'message', audience: 'caller', view: line('Not for you.') };
      await scene.ann.blunders();
      await onlyFor(scene, 'Not for you.');

      await scene.settle();
      expect(await scene.bob.sees()).toEqual([]);
      expect(await scene.all(scene.ann)).toHaveLength(1);
      expect(scene.desk.heard).toEqual([]);
    }),
  },
  refusal: {
    'a refusal that is known beforehand is for its caller only': needing(
      ['refusals beforehand'],
      async (scene) => {
        scene.desk.refused = Promise.resolve({ kind: 'message', audience: 'caller', view: line('Paused.') });
        await scene.ann.types({
          command: 'faceswap',
          given: { filter: '12' },
          photos: { photo: await jpeg() },
        });
        await onlyFor(scene, 'Paused.');

        scene.desk.refused = Promise.resolve(undefined);
        await scene.settle();
        expect(await scene.bob.sees()).toEqual([]);
        expect(scene.desk.heard).toEqual([]);
      },
    ),
  },
  inLanguage: 'tested with the one platform that does not tell everybody’s language, Telegram',
  hasJob: 'tested with what Discord’s adapter owes',
  cardShown: 'tested with every card',
  resultShown: 'tested with every result',
} satisfies Record<keyof Desk, Cases>;
