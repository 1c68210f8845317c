import { ComponentType } from 'discord.js';
import { describe, expect, test } from 'vitest';
import { type Command, defineAction } from '../../../../src/command/command.ts';
import type { Question, Reply } from '../../../../src/command/reply.ts';
import { en } from '../../../../src/words/en/words.ts';
import { inEachLanguage } from '../../../../src/words/language.ts';
import { holds as until } from '../../../eventually.ts';
import { partsOf } from '../../../fakes/discord/components.ts';
import type { Attached } from '../../../fakes/discord/people.ts';
import {
  card,
  openStage,
  picture,
  room,
  show,
  showCard,
  stage,
  texts,
  useStage,
  view,
} from '../../../fakes/discord/stage.ts';

const animate: Command = {
  name: 'animate',
  description: inEachLanguage(() => 'Animate'),
  access: 'everyone',
  examples: [],
  generates: true,
  menu: inEachLanguage(() => 'Animate'),
  action: defineAction({
    description: inEachLanguage(() => 'Animate'),
    options: {
      photo: { kind: 'image', description: 'Photo', required: true },
      prompt: { kind: 'text', description: 'Prompt', required: true, max: 1000 },
    },
    run: async () => ({ kind: 'note', text: '' }),
  }),
};

const png: Attached = { name: 'me.png', type: 'image/png', bytes: new Uint8Array([1, 2, 3]) };
const gif: Attached = { name: 'me.gif', type: 'image/gif', bytes: new Uint8Array(3) };
const prompt: Question = { option: 'prompt', label: 'What should happen', kind: 'text', max: 1000 };

const model: Question = {
  option: 'model',
  label: 'Model',
  kind: 'choice',
  choices: [
    { value: 'simple', label: 'Simple' },
    { value: 'advanced', label: 'Advanced' },
  ],
};

const filter: Question = {
  option: 'filter',
  label: 'Filter',
  kind: 'reference',
  choices: [{ value: '12', label: 'Pop Art' }],
};

const photo: Question = { option: 'photo', label: 'Photo', kind: 'image' };

const ask = (first: Question, ...rest: Question[]): Extract<Reply, { kind: 'ask' }> => ({
  kind: 'ask',
  draft: 'draft-1',
  questions: [first, ...rest],
  view: view('What is missing', {
    tone: 'ask',
    title: '/animate: one more thing',
    lines: ['What is missing', en.ask.write],
  }),
  audience: 'everyone',
});

interface Form {
  readonly title: string;
  readonly components: readonly {
    readonly label: string;
    readonly component: { readonly type: number; readonly custom_id: string };
  }[];
}

useStage({ commands: [animate] });
const ann = () => stage.fake.user('ann');

const heard = (count: number) =>
  until(() => {
    expect(stage.desk.heard).toHaveLength(count);
    return stage.desk.heard[count - 1];
  });

describe('the menu of a message', () => {
  test('the menu of a message passes its picture to the command, and a form asks for the missing options', async () => {
    const message = stage.fake.user('bob').posts('look', [png]);
    stage.desk.replies(ask(prompt, model), card('Place in line: 1'));
    const sent = ann().usesMenu('Animate', message);

    const answer = await sent.answered();
    expect(await heard(1)).toMatchObject({ via: 'command', what: 'animate' });

    const source = stage.desk.heard[0]?.photos[0];
    if (source?.from !== 'discord') throw new Error('no photo');
    expect(await stage.adapter.photo(source, 100, AbortSignal.timeout(9_000))).toEqual(png.bytes);

    expect(answer.type).toBe(9);

    const form = answer.data as Form;
    expect(form.title).toBe('/animate: one more thing');
    expect(form.components).toMatchObject([
      { label: 'What should happen', component: { type: ComponentType.TextInput } },
      { label: 'Model', component: { type: ComponentType.RadioGroup } },
    ]);

    ann().submits(sent, { prompt: 'a slow zoom', model: 'simple' });
    expect(await heard(2)).toMatchObject({
      via: 'answer',
      what: 'draft-1',
      given: { prompt: 'a slow zoom', model: 'simple' },
    });

    await until(() => expect(stage.desk.cards).toHaveLength(1));
    expect(texts(room())).toEqual(['look', 'Place in line: 1']);
  });

  test('what need not be answered is in the form, too, and can be left empty', async () => {
    stage.desk.replies(ask(prompt, { ...model, optional: true }), card('Place in line: 1'));
    const sent = ann().usesMenu('Animate', stage.fake.user('bob').posts('', [png]));

    const form = (await sent.answered()).data as Form;
    ann().submits(sent, { prompt: 'a slow zoom' });

    expect(form.components).toMatchObject([
      { component: { custom_id: 'prompt', required: true } },
      { component: { custom_id: 'model', required: false } },
    ]);
    expect(await heard(2)).toMatchObject({ via: 'answer', given: { prompt: 'a slow zoom' } });
  });

  test.each(['constructor', 'toString', '__proto__'])(
    'the form of a message’s menu uses the written text unchanged: %s',
    async (text) => {
      stage.desk.replies(ask(prompt), card('Place in line: 1'));
      const sent = ann().usesMenu('Animate', stage.fake.user('bob').posts('', [png]));

      await sent.answered();
      ann().submits(sent, { prompt: text });

      expect(await heard(2)).toMatchObject({ via: 'answer', given: { prompt: text } });
    },
  );

  test.each([false, true])(
    'the menu of a message uses the bot’s own result, whose picture is a component (spoiler: %s)',
    async (spoiler) => {
      const shown = await showCard();
      const { media, ...done } = picture(png.bytes);
      await stage.adapter.draw(shown, { ...done, ...(media && { media: { ...media, spoiler } }) }, 'final');
      const [result] = room();
      if (result === undefined) throw new Error('no result');
      stage.desk.replies(ask(prompt));

      expect((await stage.fake.user('bob').usesMenu('Animate', result).answered()).type).toBe(9);

      const photo = (await heard(2))?.photos[0];
      if (photo?.from !== 'discord') throw new Error('no photo');
      expect(photo.spoiler ?? false).toBe(spoiler);
      expect(await stage.adapter.photo(photo, 100, AbortSignal.timeout(9_000))).toEqual(png.bytes);
    },
  );

  test('the menu of a message does not accept a picture at a private address, and says so', async () => {
    const embed = { image: { url: 'https://127.0.0.1/a.png' } };
    const sent = ann().usesMenu('Animate', stage.fake.user('bob').posts('', [], [embed]));
    await sent.answered();

    expect(sent.message()?.onlyFor).toBe(ann().user.id);
    expect(sent.message()?.content).toContain('no image');
    expect(stage.desk.heard).toEqual([]);
  });

  test('the menu of a message does not accept a picture of a format that is not supported, and says so', async () => {
    const sent = ann().usesMenu('Animate', stage.fake.user('bob').posts('', [gif]));
    await sent.answered();

    expect(sent.message()?.onlyFor).toBe(ann().user.id);
    expect(sent.message()?.content).toContain(en.failure['photo-invalid']);
    expect(stage.desk.heard).toEqual([]);
  });
});

describe('a question', () => {
  test('a question after a typed command has its buttons and one that opens a form, also after a restart', async () => {
    const question = await show(ask(prompt), '/animate', { photo: png });
    // Nobody reads along here: the hint to write a message would be wrong.
    expect(texts([question])).toEqual(['❔ /animate: one more thing\nWhat is missing']);

    await stage.adapter.stop();
    const second = await openStage({ commands: [animate], fake: stage.fake, state: stage.state });
    second.desk.replies(card('Place in line: 1'));
    const opened = ann().presses(question, en.ask.open);

    expect((await opened.answered()).type).toBe(9);

    ann().submits(opened, { prompt: 'a slow zoom' });
    await until(() => expect(second.desk.cards).toHaveLength(1));
    expect(texts(room())).toEqual(['Place in line: 1']);

    await second.adapter.stop();
  });

  test('a question of a command that generates nothing is private, and replaced by the answer', async () => {
    const asked = view('Which model?', { buttons: [[{ action: 'pick:1', label: 'Simple' }]] });

    const question = await show({ ...ask(model), view: asked }, '/alias create', { name: 'halloween' });
    stage.desk.replies({ kind: 'message', view: view('Made'), audience: 'caller-in-place', replaces: true });

    expect(question.onlyFor).toBe(ann().user.id);
    expect((await ann().presses(question, 'Simple').answered()).type).toBe(7);
    expect(texts(stage.fake.messages(stage.fake.channel, ann()))).toEqual(['Made']);
  });

  test('a question opens a form only for its person', async () => {
    const question = await show(ask(prompt), '/animate', { photo: png });
    const press = stage.fake.user('bob').presses(question, en.ask.open);
    expect((await press.answered()).type).toBe(4);
    expect(press.message()).toMatchObject({
      content: en.press.notYours,
      onlyFor: stage.fake.user('bob').user.id,
    });
    expect((await ann().presses(question, en.ask.open).answered()).type).toBe(9);
  });

  test('a second answer to a question does not replace the first', async () => {
    const question = await show(ask(prompt), '/animate', { photo: png });
    const forms = [ann().presses(question, en.ask.open), ann().presses(question, en.ask.open)] as const;
    for (const each of forms) expect((await each.answered()).type).toBe(9);

    const buttons = [[{ action: 'cancel:job-1', label: 'Cancel' }]];
    stage.desk.replies(card('', { view: view('First', { buttons }) }), card('Second'));
    for (const [index, each] of forms.entries()) {
      ann().submits(each, { prompt: 'a slow zoom' });
      await until(() => expect(stage.desk.cards).toHaveLength(index + 1));
    }
    expect(texts(room())).toEqual(['First', 'Second']);
  });

  test('a question whose form is unknown says so in its place, without buttons', async () => {
    const question = await show(ask(prompt), '/animate', { photo: png });
    await stage.state.set('form:draft-1', undefined);
    await ann().presses(question, en.ask.open).answered();

    expect(texts(stage.fake.messages(stage.fake.channel, ann()))).toEqual([en.press.stale]);
    expect(partsOf(question)).toEqual([]);
  });

  test('a question’s button opens a form with a list and a field for filters, and an upload for photos', async () => {
    const buttons = [[{ action: 'other:1', label: 'Other filter' }]];

    const result = await show({ kind: 'message', audience: 'everyone', view: view('Result', { buttons }) });
    stage.desk.replies(ask(filter, photo), card('Place in line: 1'));
    const press = ann().presses(result, 'Other filter');
    const form = (await press.answered()).data as Form;

    expect(form.components).toMatchObject([
      { component: { custom_id: 'filter', type: ComponentType.StringSelect } },
      { component: { custom_id: 'filter~', type: ComponentType.TextInput } },
      { component: { custom_id: 'photo', type: ComponentType.FileUpload } },
    ]);
    expect(form.components[2]?.component).toMatchObject({ file_types: ['image'] });

    ann().submits(press, { 'filter~': 'halloween', photo: png });
    const answer = await heard(3);
    expect(answer?.given.filter).toBe('halloween');
    expect(answer?.photos).toHaveLength(1);

    await until(() => expect(stage.desk.cards).toHaveLength(1));
    expect(texts(room())).toEqual(['Result', 'Place in line: 1']);
  });

  test('a question’s form takes several photos where each can make a job', async () => {
    const buttons = [[{ action: 'other:1', label: 'Other photo' }]];

    const result = await show({ kind: 'message', audience: 'everyone', view: view('Result', { buttons }) });
    stage.desk.replies(ask({ ...photo, album: true }), card('Place in line: 1'));
    const press = ann().presses(result, 'Other photo');
    await press.answered();
    ann().submits(press, { photo: [png, { ...png, name: 'you.png' }] });

    expect((await heard(3))?.photos).toMatchObject([{ from: 'album', photos: [{}, {}] }]);
  });

  test('a question after a form is a message with a button, because it cannot be another form', async () => {
    stage.desk.replies(ask(prompt), ask(prompt));
    const sent = ann().usesMenu('Animate', stage.fake.user('bob').posts('', [png]));

    await sent.answered();
    const form = ann().submits(sent, { prompt: '' });

    expect((await form.answered()).type).toBe(4);
    expect(partsOf(form.message() ?? { components: [] })).not.toEqual([]);
  });
});

test('an unusable photo in a form is refused immediately and privately', async () => {
  const sent = ann().types('/animate', { photo: gif, prompt: 'x' });
  await sent.answered();
  expect(texts(sent.messages())).toEqual([en.failure['photo-invalid']]);
  expect(sent.message()?.onlyFor).toBe(ann().user.id);
  expect(stage.desk.heard).toEqual([]);
});

test('a form that is submitted after its question was answered does not change the card', async () => {
  const question = await show({ ...ask(photo), audience: 'caller' }, '/animate');
  const one = ann().presses(question, en.ask.addPhoto);
  const other = ann().presses(question, en.ask.addPhoto);
  await Promise.all([one.answered(), other.answered()]);
  stage.desk.replies(card('Place in line: 1', { audience: 'caller' }), {
    ...ask(filter),
    audience: 'caller',
  });
  ann().submits(one, { photo: png });
  await until(() => expect(stage.desk.cards).toHaveLength(1));

  expect(texts([question])).toEqual(['Place in line: 1']);

  const late = ann().submits(other, { photo: png });
  await late.answered();
  await until(() => expect(stage.fake.messages(stage.fake.channel, ann())).toHaveLength(2));
  expect(texts([question])).toEqual(['Place in line: 1']);
});
