import { expect } from 'vitest';
import type { Note, Reply, ReplyOf } from '../../../../src/command/reply.ts';
import type { View } from '../../../../src/command/view.ts';
import { type Content, textContent, withEveryContent } from '../contents.ts';
import type { Seen } from '../driver.ts';
import type { Scene } from '../scene.ts';
import { line } from '../views.ts';
import { type Cases, needing } from './cases.ts';
import type { Flags } from './messages.ts';

/** Replies to presses of buttons. */

const sure = { ...line('Sure?'), buttons: [[{ action: 'yes', label: 'Yes' }]] };

const pressable: Partial<View> = { buttons: [[{ action: 'cancel:1', label: 'Cancel' }]] };

/** Bob presses a button that the message does not have; whatever the desk replies, nothing changes. */
const forged = async (scene: Scene, reply: Reply): Promise<void> => {
  const { seen } = await scene.openCard();
  scene.desk.replies(reply);
  await scene.bob.forges(seen, 'delete:1');
  const heard = await scene.heard(2);
  expect(heard.what).toBe('delete:1');
  expect(heard.pressed).toBeUndefined();

  await scene.settle();
  const { id, text } = seen;
  expect((await scene.ann.sees()).map((each) => ({ id: each.id, text: each.text }))).toEqual([{ id, text }]);
};

/** A press by Bob that changes nothing for anybody else. */
const noted = async (scene: Scene, reply: Note): Promise<void> => {
  const { seen } = await scene.openCard();
  scene.desk.replies(reply);
  await scene.bob.presses(seen, 'Cancel');

  expect(await scene.heard(2)).toMatchObject({
    via: 'press',
    what: 'cancel:1',
    place: scene.stage.place,
    caller: { id: scene.bob.caller.id },
  });
  await scene.reads(scene.bob, reply.text);
  expect(await scene.ann.sees()).toEqual([seen]);
};

const removed = async (scene: Scene, content: Content, more: Partial<ReplyOf<'remove'>>): Promise<Seen> => {
  const { card } = await scene.openCard();
  const buttons = [[{ action: 'delete:1', label: 'Delete' }]];
  await scene.stage.adapter.draw(card, content.view('Took 3 s', { buttons }), 'final');
  const seen = await scene.last(scene.ann, 1);
  scene.desk.replies({ kind: 'remove', note: 'Deleted.', ...more });
  await scene.ann.presses(seen, 'Delete');
  await scene.holds(async () =>
    expect((await scene.bob.sees()).map(({ text }) => text).join()).not.toContain('Took'),
  );

  return seen;
};

export const replaceCases = {
  view: {
    'a button can replace its message': async (scene) => {
      const { seen } = await scene.openCard();
      scene.desk.replies({ kind: 'replace', view: sure });
      await scene.ann.presses(seen, 'Cancel');
      const asked = await scene.reads(scene.ann, 'Sure?');

      expect(asked).toMatchObject({ id: seen.id, buttons: ['Yes'] });
      expect(await scene.bob.sees()).toEqual([asked]);
    },
    'a forged press replaces nothing': (scene) => forged(scene, { kind: 'replace', view: line('Ha') }),
  },
  evenIfOld: withEveryContent(
    'a moderator’s press replaces the message of somebody else',
    async (scene, content) => {
      const { seen } = await scene.openCard();
      const view = content.view('Settled by a moderator');
      scene.desk.replies({ kind: 'replace', evenIfOld: true, view });
      await scene.mod.presses(seen, 'Cancel');
      const settled = await scene.reads(scene.ann, 'Settled by a moderator');

      expect(settled.id).toBe(seen.id);
      content.check(settled);
      expect((await scene.heard(2)).caller.id).toBe(scene.mod.caller.id);
    },
  ),
} satisfies Flags<'replace'>;

export const removeCases = {
  note: {
    ...withEveryContent('a button can remove its message', (scene, content) => removed(scene, content, {})),
    'a forged press removes nothing': (scene) => forged(scene, { kind: 'remove', note: 'Deleted.' }),
    'whoever removes a message is told': needing(['notes on removal'], async (scene) => {
      await removed(scene, textContent, {});
      await scene.reads(scene.ann, 'Deleted.');
    }),
  },
  evenIfOld: withEveryContent('a button can remove an old message', (scene, content) =>
    removed(scene, content, { evenIfOld: true }),
  ),
} satisfies Flags<'remove'>;

/** Notes say no more than a text: what differs is who needs it. */
export const noteCases = {
  note: {
    'a press is received with its person; a note goes to them and changes nothing': (scene) =>
      noted(scene, { kind: 'note', text: 'Not possible now.' }),
    'a note that answers a command is read by its caller': async (scene) => {
      scene.desk.replies({ kind: 'note', text: 'Not possible now.' });
      await scene.ann.types({ command: 'help' });
      await scene.reads(scene.ann, 'Not possible now.');
    },
  },
  'chat-note': {
    'a note that concerns the whole chat is read by its caller': async (scene) => {
      scene.desk.replies({ kind: 'chat-note', text: 'Nobody has approved this chat.' });
      await scene.ann.types({ command: 'help' });
      await scene.reads(scene.ann, 'Nobody has approved this chat.');
    },
  },
  'not-yours': {
    'whoever presses the button of somebody else is told': (scene) =>
      noted(scene, { kind: 'not-yours', text: 'This button belongs to someone else.' }),
  },
  stale: withEveryContent(
    'whoever presses the button of an outdated question is told',
    async (scene, content) => {
      const view = content.view('Press it', pressable);
      const seen = await scene.show({ kind: 'message', audience: 'everyone', view });
      scene.desk.replies({ kind: 'stale', text: 'This list is outdated.' });
      await scene.ann.presses(seen, 'Cancel');

      await scene.reads(scene.ann, 'This list is outdated.');
      expect((await scene.bob.sees()).map(({ id }) => id)).toEqual([seen.id]);
    },
  ),
  'told-before': {
    'what a person was told before is not told again': needing(['silence'], async (scene) => {
      scene.desk.replies({ kind: 'told-before', text: 'As I said.' });
      await scene.ann.types({ command: 'help' });
      await scene.heard(1);
      await scene.settle();

      for (const person of [scene.ann, scene.bob])
        expect((await scene.all(person)).map(({ text }) => text).join()).not.toContain('As I said.');
    }),
    'a press waits for an answer, also if it was answered before': (scene) =>
      noted(scene, { kind: 'told-before', text: 'Already in line.' }),
  },
  'chat-told-before': {
    'what a chat was told before is not told to it again': needing(['silence'], async (scene) => {
      scene.desk.replies({ kind: 'chat-told-before', text: 'As I said.' });
      await scene.ann.types({ command: 'help' });
      await scene.heard(1);
      await scene.settle();

      expect((await scene.all(scene.bob)).map(({ text }) => text).join()).not.toContain('As I said.');
    }),
  },
  'card-shown-before': {
    'a card that is visible is the answer: nothing is added to it': needing(['silence'], async (scene) => {
      const { seen } = await scene.openCard();
      scene.desk.replies({ kind: 'card-shown-before', text: 'As I said.' });
      await scene.ann.types({ command: 'help' });
      await scene.heard(2);
      await scene.settle();
      const seenByBob = (await scene.all(scene.bob)).map(({ id, text }) => ({ id, text }));

      expect(seenByBob).toEqual([{ id: seen.id, text: seen.text }]);
    }),
    'a press on a card that is visible is answered by a note': (scene) =>
      noted(scene, { kind: 'card-shown-before', text: 'Already in line.' }),
  },
} satisfies Record<Note['kind'], Cases>;
