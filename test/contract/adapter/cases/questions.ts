import { expect } from 'vitest';
import type { Question, ReplyOf } from '../../../../src/command/reply.ts';
import { jpeg } from '../../../fakes/pictures.ts';
import type { Heard } from '../../../fakes/scripted-desk.ts';
import { withEveryContent } from '../contents.ts';
import type { Seen } from '../driver.ts';
import type { Scene } from '../scene.ts';
import { asks, busy, line, offers } from '../views.ts';
import type { Cases } from './cases.ts';
import { closed, type Flags, forOneIfPossible, onlyFor, openQuestion, replaced } from './messages.ts';

/** Questions, and the ways in which their answers come back. */

/** Ann is asked and answers; resolves with what the desk hears of that. */
const answered = async (
  scene: Scene,
  reply: ReplyOf<'ask'>,
  answer: (question: Seen) => Promise<void>,
): Promise<Heard> => {
  const question = await openQuestion(scene, reply);
  scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('Thanks') });
  await answer(question);
  const heard = await scene.heard(2);
  expect(heard.caller.id).toBe(scene.ann.caller.id);
  expect(heard.place).toEqual(scene.stage.place);
  await scene.reads(scene.ann, 'Thanks');

  return heard;
};

const written = (heard: Heard, option: string): unknown => heard.line ?? heard.given[option];

export const kindsOfQuestions = {
  choice: {
    'a choice is answered by its button': async (scene) => {
      const heard = await answered(scene, offers('d1'), (question) => scene.ann.presses(question, 'Pop'));
      expect(heard).toMatchObject({ via: 'press', what: 'use:d1:pop' });
    },
    'one of many choices is answered by its button, too': async (scene) => {
      const labels = Array.from({ length: 12 }, (_, index) => `Look ${index + 1}`);
      const choices = labels.map((label, index) => ({
        action: `use:d1:${index}`,
        label,
        choice: true as const,
      }));
      const view = { tone: 'ask' as const, lines: ['Which look?'], buttons: choices.map((each) => [each]) };
      const heard = await answered(scene, offers('d1', 'Which look?', { view }), async (question) => {
        expect(question.buttons).toEqual(labels);
        await scene.ann.presses(question, 'Look 11');
      });

      expect(heard).toMatchObject({ via: 'press', what: 'use:d1:10' });
    },
  },
  text: {
    'a missing text is asked for, and the written answer is received': async (scene) => {
      const job = `${scene.job}-asked`;
      scene.desk.replies(asks('d1'), {
        kind: 'card',
        job,
        view: busy('Place in line: 1', 0),
        audience: 'everyone',
      });
      await scene.ann.types({ command: 'animate', photos: { photo: await jpeg() } });
      const question = await scene.last(scene.ann, 1);
      expect(question.text).toContain('What should happen');

      await scene.ann.answers(question, 'a slow zoom');
      const heard = await scene.heard(2);
      expect(heard).toMatchObject({ via: 'answer', place: scene.stage.place });
      expect(written(heard, 'prompt')).toBe('a slow zoom');
      await scene.holds(() => expect(scene.desk.cards.map((each) => each.job)).toEqual([job]));
    },
  },
  reference: {
    'a missing filter is asked for by name': async (scene) => {
      const reply = asks('d1', {}, { option: 'filter', kind: 'reference', label: 'Filter' });
      const heard = await answered(scene, reply, (question) => scene.ann.answers(question, 'Pop Art'));
      expect(written(heard, 'filter')).toBe('Pop Art');
    },
  },
  image: {
    'a missing photo is asked for, and arrives': async (scene) => {
      const bytes = await jpeg();
      const reply = asks('d1', {}, { option: 'photo', kind: 'image', label: 'Photo' });
      const { photos } = await answered(scene, reply, (question) => scene.ann.answers(question, bytes));
      const [photo] = photos;
      if (photo === undefined || !('ref' in photo)) throw new Error('no photo');

      expect(await scene.stage.adapter.photo(photo, 1e6, AbortSignal.timeout(20_000))).toEqual(bytes);
    },
  },
} satisfies Record<Question['kind'], Cases>;

export const askCases = {
  view: 'tested by kind',
  draft: {
    'two questions are answered each for itself': async (scene) => {
      const first = await openQuestion(scene, offers('d1', 'Which look?'));
      scene.desk.replies(offers('d2', 'Which one?'));
      await scene.ann.types({
        command: 'faceswap',
        given: { filter: '12' },
        photos: { photo: await jpeg() },
      });
      await scene.reads(scene.ann, 'Which one?');

      scene.desk.replies({ kind: 'message', audience: 'everyone', view: line('Thanks'), replaces: true });
      await scene.ann.presses(first, 'Noir');
      expect((await scene.heard(3)).what).toBe('use:d1:noir');
      expect((await scene.reads(scene.ann, 'Thanks')).id).toBe(first.id);
      expect((await scene.reads(scene.ann, 'Which one?')).buttons).toEqual(['Noir', 'Pop']);
    },
  },
  questions: 'tested by kind',
  audience: {
    ...withEveryContent('a private question is for its caller only', async (scene, content) => {
      const { buttons = [] } = offers('d1').view;
      const view = content.view('Between us?', { buttons });
      scene.desk.replies(offers('d1', 'Between us?', { audience: 'caller', view }));
      await scene.ann.types({
        command: 'faceswap',
        given: { filter: '12', private: 'yes' },
        photos: { photo: await jpeg() },
      });

      content.check(await onlyFor(scene, 'Between us?'));
    }),
    ...withEveryContent('a question that is private in place stays in the room', async (scene, content) => {
      const view = content.view('Which look?');
      scene.desk.replies(offers('d1', 'Which look?', { audience: 'caller-in-place', view }));
      await scene.ann.types({ command: 'animate' });
      await forOneIfPossible(scene, 'Which look?');

      content.check(await scene.reads(scene.ann, 'Which look?'));
    }),
    'the answer to a private question is about the room': async (scene) => {
      scene.desk.replies(asks('d2', { audience: 'caller' }), {
        kind: 'message',
        audience: 'caller',
        view: line('Thanks'),
      });
      await scene.ann.types({
        command: 'animate',
        given: { private: 'yes' },
        photos: { photo: await jpeg() },
      });
      await scene.ann.answers(await onlyFor(scene, 'What should happen'), 'a slow zoom');

      expect((await scene.heard(2)).place).toEqual(scene.stage.place);
      await onlyFor(scene, 'Thanks');
    },
  },
  replaces: {
    ...withEveryContent('a further question takes the place of the one before', async (scene, content) => {
      const { buttons = [] } = offers('d1').view;
      const view = content.view('And the size?', { buttons });
      const next = await replaced(
        scene,
        offers('d1', 'And the size?', { replaces: true, view }),
        'And the size?',
      );
      content.check(next);

      scene.desk.replies({
        kind: 'message',
        audience: 'everyone',
        replaces: true,
        view: content.view('Thanks'),
      });
      await scene.ann.presses(next, 'Pop');
      const thanks = await scene.reads(scene.ann, 'Thanks');

      expect(thanks.id).toBe(next.id);
      content.check(thanks);
      expect(await scene.ann.sees()).toHaveLength(1);
    }),
    ...withEveryContent(
      'a further question is for the person who alone sees the one before',
      async (scene, content) => {
        const { buttons = [] } = offers('d1').view;
        const view = (text: string) => content.view(text, { tone: 'ask', buttons });
        scene.desk.replies({ kind: 'message', audience: 'caller-in-place', view: view('Whose face?') });
        await scene.ann.types({
          command: 'faceswap',
          given: { filter: '12' },
          photos: { photo: await jpeg() },
        });
        await forOneIfPossible(scene, 'Whose face?');
        const steps = [
          offers('d1', 'Which style?', { replaces: true, view: view('Which style?') }),
          { kind: 'message', audience: 'everyone', replaces: true, view: view('All of them?') },
        ] as const;
        let before = 'Whose face?';
        for (const step of steps) {
          const text = String(step.view.lines[0]);
          scene.desk.replies(step);
          await scene.ann.presses(await scene.reads(scene.ann, before), 'Noir');
          await forOneIfPossible(scene, text);
          content.check(await scene.reads(scene.ann, text));
          before = text;
        }

        expect(await scene.ann.sees()).toHaveLength(1);
      },
    ),
  },
  answers: withEveryContent(
    'after a written answer the further question is the open one',
    async (scene, content) => {
      await closed(scene, asks('d1', { answers: 'd1', view: content.view('And then?') }), 'And then?');
      content.check(await scene.reads(scene.ann, 'And then?'));
    },
  ),
} satisfies Flags<'ask'>;
