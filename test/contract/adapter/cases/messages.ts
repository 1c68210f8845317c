import { expect } from 'vitest';
import { directCommunity, personKey } from '../../../../src/command/place.ts';
import type { Reply, ReplyOf } from '../../../../src/command/reply.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import { type Content, type Repeated, withEveryContent } from '../contents.ts';
import type { Person, Seen } from '../driver.ts';
import type { Scene } from '../scene.ts';
import { asks, busy, done, line, offers } from '../views.ts';
import { type Cases, needing } from './cases.ts';

/** Replies to commands. */

/** Parts of a reply that say its content. Each other part is a flag, which must have its effect whatever the message shows. */
type Said = 'view' | 'job' | 'others' | 'cards' | 'draft' | 'questions' | 'note' | 'text';
export type Flags<Kind extends Reply['kind']> = {
  readonly [Part in Exclude<keyof ReplyOf<Kind>, 'kind'>]: Part extends Said ? Cases : Repeated | string;
};

/** Ann's command, whose answers everybody sees, is answered with this question in the room. */
export const openQuestion = async (scene: Scene, reply: ReplyOf<'ask'>): Promise<Seen> => {
  scene.desk.replies(reply);
  await scene.ann.types({ command: 'faceswap', given: { filter: '12' }, photos: { photo: await jpeg() } });
  return scene.reads(scene.ann, String(reply.view.lines[0]));
};

/** Ann presses a button of a question; resolves with the answer, which is one message in the question's place. */
export const replaced = async (scene: Scene, reply: Reply, text: string): Promise<Seen> => {
  const question = await openQuestion(scene, offers('d1'));
  scene.desk.replies(reply);
  await scene.ann.presses(question, 'Noir');
  const answer = await scene.reads(scene.ann, text);
  expect(answer.id).toBe(question.id);
  expect(await scene.ann.sees()).toHaveLength(1);

  return answer;
};

/** Ann answers a question in writing; once the answer to that is there, the question has no buttons any more. */
export const closed = async (scene: Scene, reply: Reply, text: string): Promise<void> => {
  const [row] = offers('d1').view.buttons ?? [];
  const view = { ...asks('d1').view, ...(row === undefined ? {} : { buttons: [row] }) };
  const question = await openQuestion(scene, asks('d1', { view }));
  scene.desk.replies(reply);
  await scene.ann.answers(question, 'a slow zoom');
  await scene.heard(2);

  await scene.reads(scene.ann, text);
  await scene.holds(async () =>
    expect((await scene.all(scene.ann)).filter(({ buttons }) => buttons.includes('Noir'))).toEqual([]),
  );
};

/** A message with this text is seen by this person and by nobody else; resolves with it. */
export const onlyFor = async (scene: Scene, text: string, person: Person = scene.ann): Promise<Seen> => {
  const own = await scene.reads(person, text);
  for (const other of [scene.ann, scene.bob, scene.mod]) {
    const seen = other === person ? [] : await scene.all(other);
    expect(seen.filter((each) => each.text.includes(text))).toEqual([]);
  }
  return own;
};

/** A card in the room that shows the content and has the button Cancel. */
export const openCardWith = async (scene: Scene, content: Content): Promise<Seen> => {
  const { card: shown } = await scene.openCard();
  const buttons = [[{ action: 'cancel:1', label: 'Cancel' }]];
  await scene.stage.adapter.draw(shown, content.view('Look at it', { buttons }), 'final');
  return scene.reads(scene.ann, 'Look at it');
};

/**
 * The answer to a press of Bob's, on a card in the room: nobody else sees it, and the card stays as it was. Resolves to what Bob sees.
 */
export const onlyForPresser = async (scene: Scene, reply: Reply, text: string): Promise<Seen> => {
  const { seen: pressed } = await scene.openCard();
  scene.desk.replies(reply);
  await scene.bob.presses(pressed, 'Cancel');
  const answer = await onlyFor(scene, text, scene.bob);
  expect(answer.id).not.toBe(pressed.id);
  for (const person of [scene.ann, scene.mod]) expect(await scene.all(person)).toEqual([pressed]);
  expect((await scene.bob.sees()).find(({ id }) => id === pressed.id)).toEqual(pressed);

  return answer;
};

/** A message with this text is seen by Ann alone if the platform can do that in the room, else by everybody. */
export const forOneIfPossible = async (scene: Scene, text: string): Promise<void> => {
  await scene.holds(async () =>
    expect((await scene.ann.sees()).map((each) => each.text).join()).toContain(text),
  );
  const others = (await scene.bob.sees()).filter((each) => each.text.includes(text));
  expect(others).toHaveLength(scene.can('messages for one') ? 0 : 1);
};

export const messageCases = {
  view: {
    'a command is received with caller and place, and answered where it was typed': async (scene) => {
      scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('Hello there') });
      await scene.ann.types({ command: 'help' });
      expect((await scene.last(scene.ann, 1)).text).toContain('Hello there');
      expect(await scene.heard(1)).toMatchObject({ via: 'command', what: 'help', place: scene.stage.place });
      expect(await scene.bob.sees()).toHaveLength(1);
    },
    'what was typed in a thread is answered there': needing(['threads'], async (scene) => {
      scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('Here') });
      await scene.ann.at('thread').types({ command: 'help' });
      await scene.holds(async () =>
        expect((await scene.bob.at('thread').sees()).map(({ text }) => text)).toEqual(['Here']),
      );

      const { place } = await scene.heard(1);
      expect(place.thread ?? place.channel).not.toBe(scene.stage.place.channel);
      expect(place.community).toBe(scene.stage.place.community);
      expect((await scene.bob.sees()).filter(({ text }) => text.includes('Here'))).toEqual([]);
    }),
    'a direct chat is a community of its own, in which nobody is a moderator': async (scene) => {
      const { caller } = scene.mod;
      scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('Between us') });
      await scene.mod.at('direct').types({ command: 'help' });
      const { place } = await scene.heard(1);

      expect(place).toMatchObject({ direct: true, community: directCommunity(personKey(caller)) });
      await scene.holds(async () =>
        expect((await scene.mod.at('direct').sees()).map(({ text }) => text)).toEqual(['Between us']),
      );
      expect(await scene.ann.sees()).toEqual([]);
      for (const channel of [place.channel, scene.stage.place.channel])
        expect(await scene.stage.adapter.isModerator(caller, { ...place, channel })).toBe(false);
    },
  },
  audience: {
    ...withEveryContent('a private message is for its caller only', async (scene, content) => {
      scene.desk.replies({ kind: 'message', audience: 'caller', view: content.view('A secret') });
      await scene.ann.types({ command: 'help' });
      content.check(await onlyFor(scene, 'A secret'));
    }),
    ...withEveryContent('a button’s answer for one person is seen by nobody else', async (scene, content) => {
      const reply = { kind: 'message', audience: 'caller', view: content.view('A secret') } as const;
      content.check(await onlyForPresser(scene, reply, 'A secret'));
    }),
    ...withEveryContent('a message that is private in place stays in the room', async (scene, content) => {
      scene.desk.replies({ kind: 'message', audience: 'caller-in-place', view: content.view('For one') });
      await scene.ann.types({ command: 'help' });
      await forOneIfPossible(scene, 'For one');
      content.check(await scene.reads(scene.ann, 'For one'));
    }),
  },
  replaces: {
    ...withEveryContent(
      'a message that answers a button takes the place of the question',
      async (scene, content) => {
        const reply = {
          kind: 'message',
          audience: 'everyone',
          replaces: true,
          view: content.view('Noir it is'),
        } as const;
        const answer = await replaced(scene, reply, 'Noir it is');
        expect(answer.buttons).toEqual([]);
        content.check(answer);
      },
    ),
    ...withEveryContent(
      'a private message that answers a button leaves no question',
      async (scene, content) => {
        const question = await openQuestion(scene, offers('d1'));
        const view = content.view('A secret');
        scene.desk.replies({ kind: 'message', replaces: true, audience: 'caller', view });
        await scene.ann.presses(question, 'Noir');

        content.check(await onlyFor(scene, 'A secret'));
        await scene.holds(async () =>
          expect((await scene.bob.sees()).flatMap(({ buttons }) => buttons)).toEqual([]),
        );
      },
    ),
    ...withEveryContent(
      'a message that replaces nothing leaves the message with the button',
      async (scene, content) => {
        const seen = await openCardWith(scene, content);
        const view = content.view('Something else');
        scene.desk.replies({ kind: 'message', audience: 'everyone', view });
        await scene.ann.presses(seen, 'Cancel');

        content.check(await scene.reads(scene.bob, 'Something else'));
        expect((await scene.ann.sees()).find(({ id }) => id === seen.id)).toEqual(seen);
      },
    ),
  },
  answers: withEveryContent(
    'a message after a written answer leaves no open question',
    async (scene, content) => {
      await closed(
        scene,
        { kind: 'message', audience: 'everyone', answers: 'd1', view: content.view('Thanks') },
        'Thanks',
      );
      content.check(await scene.reads(scene.ann, 'Thanks'));
    },
  ),
} satisfies Flags<'message'>;

export const resultCases = {
  view: 'tested with `audience`',
  job: {
    'where a result is shown is reported, so that it can be deleted there': async (scene) => {
      for (const audience of ['everyone', 'caller'] as const) {
        const view = done(await jpeg());
        scene.desk.replies({ kind: 'result', job: `shown to ${audience}`, audience, view });
        await scene.ann.types({ command: 'help' });
        await scene.holds(() => expect(scene.desk.results.has(`shown to ${audience}`)).toBe(true));
        expect((await scene.all(scene.ann)).filter(({ media }) => media !== undefined)).toHaveLength(1);
        const card = scene.desk.results.get(`shown to ${audience}`);
        if (card === undefined) throw new Error('it is nowhere');
        expect(await scene.stage.adapter.removeMessage(card)).toBe('gone');
        await scene.holds(async () =>
          expect((await scene.all(scene.ann)).filter(({ media }) => media !== undefined)).toEqual([]),
        );
      }
    },
  },
  asked: 'for the desk',
  audience: {
    ...withEveryContent('a result that was asked for again is seen by everybody', async (scene, content) => {
      scene.desk.replies({
        kind: 'result',
        job: 'made-before',
        audience: 'everyone',
        view: content.view('Made before'),
      });
      await scene.ann.types({ command: 'help' });
      content.check(await scene.reads(scene.bob, 'Made before'));
    }),
    ...withEveryContent(
      'a private result that was asked for again is for its caller only',
      async (scene, content) => {
        scene.desk.replies({
          kind: 'result',
          job: 'made-before',
          audience: 'caller',
          view: content.view('Made before'),
        });
        await scene.ann.types({ command: 'help' });
        content.check(await onlyFor(scene, 'Made before'));
      },
    ),
    ...withEveryContent(
      'a result that a button shows to one person is seen by nobody else',
      async (scene, content) => {
        const view = content.view('Made before');
        const reply = { kind: 'result', job: 'made-before', audience: 'caller', view } as const;
        content.check(await onlyForPresser(scene, reply, 'Made before'));
      },
    ),
  },
  replaces: withEveryContent(
    'a result that answers a button takes the place of the question',
    async (scene, content) => {
      const view = content.view('Made before');
      const reply = {
        kind: 'result',
        job: 'made-before',
        audience: 'everyone',
        replaces: true,
        view,
      } as const;
      content.check(await replaced(scene, reply, 'Made before'));
    },
  ),
  answers: withEveryContent(
    'a result after a written answer leaves no open question',
    async (scene, content) => {
      const view = content.view('Made before');
      await closed(
        scene,
        { kind: 'result', job: 'made-before', audience: 'everyone', answers: 'd1', view },
        'Made before',
      );
      content.check(await scene.reads(scene.ann, 'Made before'));
    },
  ),
} satisfies Flags<'result'>;

const card = (job: string, text: string): ReplyOf<'card'> => ({
  kind: 'card',
  job,
  view: busy(text, 0),
  audience: 'everyone',
});

/** A button of a question leads to the cards of an album. */
const pressAlbum = async (
  scene: Scene,
  texts: readonly string[],
  more: Partial<ReplyOf<'card'>> = {},
): Promise<Seen> => {
  const question = await openQuestion(scene, offers('d1'));
  const [first, ...others] = texts.map((text) => ({
    ...card(`${scene.job}-${text}`, `The photo ${text}`),
    audience: more.audience ?? 'everyone',
  }));
  if (first !== undefined) scene.desk.replies({ ...first, replaces: true, others, ...more });
  await scene.ann.presses(question, 'Noir');
  return question;
};

/** Every card that was reported becomes its result. */
const finish = async (scene: Scene, content: Content): Promise<void> => {
  await scene.holds(() => expect(scene.desk.cards).not.toEqual([]));
  for (const { job, card: shown } of scene.desk.cards)
    await scene.stage.adapter.draw(shown, content.view(`${job} is done`), 'final');
};

export const cardCases = {
  view: {
    'the card of a job shows where it stands, to everybody': async (scene) => {
      const { seen } = await scene.openCard();
      expect(seen.text).toContain('Place in line: 2');
      expect(seen.buttons).toEqual(['Cancel']);
      expect((await scene.bob.sees()).map(({ id }) => id)).toEqual([seen.id]);
    },
  },
  job: {
    'a card is reported once, with its job, when it is visible': async (scene) => {
      const seen: (readonly Seen[])[] = [];
      scene.desk.reported = async () => void seen.push(await scene.bob.sees());
      const { card: shown } = await scene.openCard();
      await scene.settle();

      expect(seen.map((each) => each.length)).toEqual([1]);
      expect(scene.desk.cards.map((each) => each.card)).toEqual([shown]);
    },
    ...withEveryContent('a button can lead to a new card', async (scene, content) => {
      const seen = await openCardWith(scene, content);
      scene.desk.replies(card(`${scene.job}-another`, 'Once more'));
      await scene.ann.presses(seen, 'Cancel');

      await scene.holds(() =>
        expect(scene.desk.cards.map(({ job }) => job)).toContain(`${scene.job}-another`),
      );
      expect((await scene.last(scene.bob, 2)).text).toContain('Once more');
      expect((await scene.bob.sees()).find(({ id }) => id === seen.id)).toEqual(seen);
    }),
  },
  again: withEveryContent(
    'a card that a crash kept from being confirmed is there once',
    async (scene, content) => {
      const job = `${scene.job}-again`;
      scene.desk.reported = () => new Promise(() => {});
      scene.desk.replies(card(job, 'On its way'), { ...card(job, 'On its way'), again: true });
      await scene.ann.types({
        command: 'faceswap',
        given: { filter: '12' },
        photos: { photo: await jpeg() },
      });
      await scene.holds(() => expect(scene.desk.cards).toHaveLength(1));

      scene.desk.reported = async () => undefined;
      await scene.stage.crash();
      await scene.ann.repeats();
      await scene.settle();

      expect(await scene.bob.sees()).toHaveLength(1);
      for (const { card: shown } of scene.desk.cards) {
        await scene.stage.adapter.draw(shown, content.view('Still one'), 'final');
        const seen = await scene.bob.sees();
        expect(seen.map(({ text }) => text.includes('Still one'))).toEqual([true]);
        for (const each of seen) content.check(each);
      }
    },
    ['one answer after a crash'],
  ),
  others: {
    'each card of an album is a message of its own, reported with its job': async (scene) => {
      const texts = ['one', 'two', 'three'];
      await pressAlbum(scene, texts);
      await scene.holds(() => expect(scene.desk.cards).toHaveLength(texts.length));

      for (const { job, card: shown } of scene.desk.cards)
        await scene.stage.adapter.draw(shown, busy(`${job} now`, 0.5), 'final');
      const seen = await scene.bob.sees();
      expect(seen.map(({ text }) => /-(\w+) now/.exec(text)?.[1])).toEqual(texts);
    },
  },
  audience: {
    ...withEveryContent(
      'a private card is for its caller only, and so is its result',
      async (scene, content) => {
        const { card: shown } = await scene.openCard(true);
        await onlyFor(scene, 'Place in line: 2');
        await scene.stage.adapter.draw(shown, content.view('Nearly done'), 'final');
        content.check(await onlyFor(scene, 'Nearly done'));
      },
    ),
    ...withEveryContent(
      'the card of a private job that a button makes is for its presser only, and so is its result',
      async (scene, content) => {
        const job = `${scene.job}-pressed`;
        await onlyForPresser(scene, { ...card(job, 'Just for you'), audience: 'caller' }, 'Just for you');
        const shown = await scene.holds(() => {
          const reported = scene.desk.cards.find((each) => each.job === job);
          return reported ?? expect.fail('no card was reported');
        });
        await scene.stage.adapter.draw(shown.card, content.view('Nearly done'), 'final');

        content.check(await onlyFor(scene, 'Nearly done', scene.bob));
      },
    ),
    ...withEveryContent(
      'each card of a private album is for its caller only, and so is its result',
      async (scene, content) => {
        const texts = ['one', 'two', 'three'];
        await pressAlbum(scene, texts, { audience: 'caller' });
        for (const text of texts) await onlyFor(scene, `The photo ${text}`);
        await finish(scene, content);
        for (const text of texts) content.check(await onlyFor(scene, `${scene.job}-${text} is done`));
      },
    ),
  },
  replaces: withEveryContent(
    'a card takes the place of the question that it answers',
    async (scene, content) => {
      const reply = { ...card(`${scene.job}-replacing`, 'Noir, soon'), replaces: true };
      const answer = await replaced(scene, reply, 'Noir, soon');
      await finish(scene, content);
      const result = await scene.last(scene.bob, 1);

      expect(result.id).toBe(answer.id);
      expect(result.text).toContain(`${scene.job}-replacing is done`);
      content.check(result);
    },
  ),
  answers: withEveryContent(
    'a card after a written answer leaves no open question',
    async (scene, content) => {
      const job = `${scene.job}-written`;
      await closed(scene, { ...card(job, 'Zooming'), answers: 'd1' }, 'Zooming');
      await finish(scene, content);
      content.check(await scene.reads(scene.ann, `${job} is done`));
    },
  ),
} satisfies Flags<'card'>;

export const furtherCardsCases = {
  cards: withEveryContent(
    'of an album whose first card is visible only the others are shown',
    async (scene, content) => {
      const question = await openQuestion(scene, offers('d1'));
      const { kind: _, ...second } = card(`${scene.job}-two`, 'The photo two');
      scene.desk.replies({ kind: 'further-cards', cards: [second], replaces: true });
      await scene.ann.presses(question, 'Noir');
      await scene.holds(() => expect(scene.desk.cards.map(({ job }) => job)).toEqual([`${scene.job}-two`]));

      await finish(scene, content);
      const seen = await scene.bob.sees();
      expect(seen.find(({ id }) => id === question.id)).toEqual(question);
      expect(seen).toHaveLength(2);
    },
  ),
  replaces: 'tested with `cards`: they replace nothing',
  answers: 'the first card has answered the question',
} satisfies Flags<'further-cards'>;
