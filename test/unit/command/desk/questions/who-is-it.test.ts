import { describe, expect, test } from 'vitest';
import type { FaceCheckResult } from '../../../../../src/command/face-check-port.ts';
import { type PhotoRef, wrongPeople } from '../../../../../src/command/photo.ts';
import { inPlaceOfMeanwhile } from '../../../../../src/command/reply.ts';
import { languages } from '../../../../../src/words/words.ts';
import {
  ann,
  bob,
  buttonsOf,
  createFakeChat,
  direct,
  labelsOf,
  photo,
  photo2,
  room,
} from '../../../../fakes/call.ts';

const left = { left: 0, top: 0, width: 0.5, height: 1 };
const right = { left: 0.5, top: 0, width: 0.5, height: 1 };
const whole = { left: 0, top: 0, width: 1, height: 1 };
const two: FaceCheckResult = { wrong: 'several', people: [left, right] };
const none: FaceCheckResult = { wrong: 'no-face', people: [] };

/** A chat in which the check of every photo has this result. */
const chatWith = (result: FaceCheckResult | undefined, place = room) => {
  const chat = createFakeChat(ann, place);
  const checked: { readonly photo: PhotoRef; readonly wanted: string }[] = [];
  const counted: string[] = [];
  let prepared = 0;
  chat.state.ports = {
    faceCheck: {
      isOn: true,
      async check(each, wanted) {
        if ('part' in each && each.part !== undefined) return undefined;
        checked.push({ photo: each, wanted });
        return result;
      },
      count: (event) => void counted.push(event),
      prepare: () => {
        prepared += 1;
      },
    },
  };
  return { chat, checked, counted, generated: chat.state.generated, prepared: () => prepared };
};

test.each([
  { faces: 0, one: 'no-face', some: 'no-face', several: 'too-few' },
  { faces: 1, one: undefined, some: undefined, several: 'too-few' },
  { faces: 2, one: 'several', some: undefined, several: undefined },
  { faces: 25, one: 'several', some: undefined, several: undefined },
])(
  'what is wrong about $faces faces depends on whether one, anybody or several are wanted',
  ({ faces, one, some, several }) => {
    expect(wrongPeople(faces, 'one')).toBe(one);
    expect(wrongPeople(faces, 'some')).toBe(some);
    expect(wrongPeople(faces, 'several')).toBe(several);
  },
);

test('the face check is prepared while the person types and answers, and one face goes on without a question', async () => {
  const { chat, checked, prepared, generated } = chatWith(undefined);
  await chat.type('/faceswap 12', photo);
  expect(prepared()).toBe(1);
  expect(checked).toEqual([]);

  await chat.choose('male');
  expect(checked).toEqual([{ photo, wanted: 'one' }]);
  expect(generated).toMatchObject([{ request: { photo } }]);

  const before = prepared();
  await chat.type('/animate waves', photo);
  await chat.type('/face list');
  expect(prepared()).toBe(before);

  const about = { option: 'filter', typed: 'pop', caller: ann, place: room };
  await chat.desk.complete({ ...about, command: 'faceswap' }, 25);
  await chat.desk.complete({ ...about, command: 'alias', subcommand: 'create' }, 25);
  expect(prepared()).toBe(before + 1);
});

test('of several faces, the one that is pressed is what the job gets, with all that was typed', async () => {
  const { chat, counted, generated } = chatWith(two);
  expect(await chat.type('/faceswap 12 female ratio=square private=yes', photo)).toContain('Whose face');
  expect(labelsOf(chat.last)).toEqual(['1', '2', 'Everybody']);
  expect(chat.last).toMatchObject({ kind: 'message', audience: 'caller' });
  expect(generated).toEqual([]);

  await chat.choose('2');
  expect(generated).toMatchObject([
    {
      request: { kind: 'face-swap-v6', photo: { ...photo, part: right }, gender: 'female', ratio: 'square' },
      private: true,
    },
  ]);
  expect(counted).toEqual(['one-of-them']);
});

test('the button Everybody goes on with /groupswap and the options that both commands take', async () => {
  const { chat, counted, generated } = chatWith(two);

  await chat.type('/faceswap prompt="two astronauts" gender=male', photo);
  await chat.choose('Everybody');

  expect(generated).toMatchObject([
    { request: { kind: 'multi-swap-realistic-prompt', photos: [{ ...photo, part: whole }] } },
  ]);
  expect(counted).toEqual(['everybody']);
});

test('a photo without a face is used anyway if the person says so, and not asked about again', async () => {
  const { chat, counted, generated } = chatWith(none);
  expect(await chat.type('/faceswap 12 male', photo)).toContain('No face found');
  expect(labelsOf(chat.last)).toEqual(['Use it anyway']);

  await chat.choose('Use it anyway');
  expect(generated).toMatchObject([{ request: { photo: { ...photo, part: whole } } }]);
  expect(counted).toEqual(['anyway']);
});

test.each([
  { line: '/faceswap 12 female ratio=square', kept: { ratio: 'square', gender: 'female' } },
  { line: '/groupswap 3 outpaint=yes', kept: { outpaint: true } },
])(
  'after $line another photo replaces the one that was asked about, and other text changes nothing',
  async ({ line, kept }) => {
    const { chat, checked, generated } = chatWith(none, direct);

    await chat.type(line, photo);
    const [anyway] = buttonsOf(chat.last);
    await chat.type('why?');
    expect(await chat.type('', photo2)).toContain('No face found');
    expect(checked.map((each) => each.photo)).toEqual([photo, photo2]);
    await chat.press(anyway?.action ?? '');

    expect(generated).toMatchObject([{ request: { photo: { ...photo2, part: whole }, ...kept } }]);
  },
);

test('for /groupswap with a single face the person is offered a face swap instead', async () => {
  const { chat, counted, generated } = chatWith({ wrong: 'too-few', people: [whole] });
  expect(await chat.type('/groupswap 3', photo)).toContain('Only one face');
  expect(labelsOf(chat.last)).toEqual(['Use it anyway', 'Swap one face']);
  // A style is none of the other command's filters.
  expect(await chat.choose('Swap one face')).toContain('/faceswap');

  await chat.choose('12 · Pop Art');
  await chat.choose('female');
  expect(generated).toMatchObject([
    { request: { kind: 'face-swap-v6', photo: { ...photo, part: whole }, filter: { id: 12 } } },
  ]);
  expect(counted).toEqual(['one-face']);
});

test('a group’s photo is asked about only where it shows nobody, and several photos, videos and links never', async () => {
  const { chat, checked } = chatWith(none);

  await chat.type('/faceswap 12 group', photo);
  await chat.type('/groupswap prompt="a band"', photo, photo2);
  await chat.type('/animate waves', photo);

  expect(checked).toEqual([{ photo, wanted: 'some' }]);
});

test('consent is asked for before the face check', async () => {
  const { chat, checked } = chatWith(none);
  chat.state.consented.clear();
  expect(await chat.type('/faceswap 12 male', photo)).toContain('agreed');
  expect(checked).toEqual([]);
  expect(await chat.choose('I confirm, continue')).toContain('No face found');
});

test('/face save asks which person it should keep, and keeps that one alone', async () => {
  const { chat } = chatWith(two);
  expect(await chat.type('/face save me', photo)).toContain('Whose face');
  expect(chat.last).toMatchObject({ audience: 'caller' });
  expect(labelsOf(chat.last)).toEqual(['1', '2', 'Use it anyway']);

  const action = buttonsOf(chat.last)[0]?.action ?? '';
  expect(await chat.press(action.replace(/1$/, 'groupswap'))).toContain('no longer valid');
  expect(await chat.press(action)).toContain('"me" is saved');

  const saved = await chat.state.faces?.use('web:ann', 'me');
  expect(JSON.parse(String(saved))).toEqual({ ...photo, part: left });
});

test('only the person asked can answer, with what was offered, and once', async () => {
  const { chat, counted, generated } = chatWith(two);

  await chat.type('/faceswap 12 male', photo);
  const action = buttonsOf(chat.last)[0]?.action ?? '';

  expect(await chat.as(bob).press(action)).toContain('belongs to someone else');

  const forged = ['3', '0', '-1', '1.5', 'animate', 'constructor', '', '999999'];
  for (const each of forged)
    expect(await chat.press(action.replace(/1$/, each))).toContain('no longer valid');
  expect(generated).toEqual([]);

  await chat.press(action);
  expect(await chat.press(action)).toContain('no longer valid');
  expect(generated).toHaveLength(1);
  expect(counted).toEqual(['one-of-them']);
});

test('an album that is wanted as a whole is not asked about, and otherwise its first photo is checked', async () => {
  const { chat, checked, generated } = chatWith(two);

  await chat.type('/faceswap 12 male', photo, photo2);
  await chat.choose('All 2 (4 credits)');

  expect(checked).toEqual([]);
  expect(generated).toMatchObject([{ request: { photo }, others: [photo2] }]);

  await chat.type('/faceswap 12 male', photo, photo2);
  await chat.choose('Only the first');
  expect(checked).toEqual([{ photo, wanted: 'one' }]);

  await chat.choose('2');
  expect(generated[1]).toMatchObject({ request: { photo: { ...photo, part: right } } });
  expect(generated[1]?.others).toBeUndefined();
});

describe('a look that takes longer than a moment', () => {
  /** A chat in which every photo is looked at until `finish`. */
  const slowChat = (place = room) => {
    const { chat, generated } = chatWith(undefined, place);
    const looks: PromiseWithResolvers<FaceCheckResult | undefined>[] = [];
    chat.state.ports = {
      faceCheck: {
        isOn: true,
        check() {
          const look = Promise.withResolvers<FaceCheckResult | undefined>();
          looks.push(look);
          return look.promise;
        },
        count: () => undefined,
        prepare: () => undefined,
      },
    };
    const pass = (ms: number): Promise<void> => chat.state.timers.advance(ms);
    const finish = (result?: FaceCheckResult): void => looks.shift()?.resolve(result);
    return { chat, generated, pass, finish, looks };
  };

  test('a face check that takes longer than a second is announced, and its outcome follows', async () => {
    const { chat, generated, pass, finish } = slowChat();
    const answered = chat.type('/faceswap 12 male', photo);

    await pass(999);
    expect(chat.meanwhile).toEqual([]);

    await pass(1);
    expect(chat.meanwhile).toEqual([
      {
        kind: 'message',
        audience: 'everyone',
        view: { tone: 'busy', title: 'Looking at your photo…', lines: [] },
      },
    ]);
    expect(generated).toEqual([]);

    finish(two);
    expect(await answered).toContain('Whose face');
  });

  test('a face check that ends within a second is not announced', async () => {
    const { chat, generated, pass, finish } = slowChat();
    const answered = chat.type('/faceswap 12 male', photo);

    await pass(999);
    finish();
    await answered;
    await pass(60_000);

    expect(chat.meanwhile).toEqual([]);
    expect(generated).toHaveLength(1);
  });

  test('a face check is announced in the place of the question that was answered by a button, and so are later questions', async () => {
    const { chat, pass, finish } = slowChat();

    await chat.type('/faceswap 12', photo);
    const answered = chat.choose('male');
    await pass(1_000);
    const [shown] = chat.meanwhile;

    expect(shown).toMatchObject({ replaces: true });

    finish();
    await answered;
    expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
    expect(inPlaceOfMeanwhile({ kind: 'note', text: 'Not today' }, shown)).toMatchObject({
      kind: 'message',
      replaces: true,
      view: { tone: 'failed', lines: ['Not today'] },
    });
  });

  test('a face check is announced once where a button is pressed twice', async () => {
    const { chat, pass, finish, looks } = slowChat();

    await chat.type('/faceswap 12', photo);
    const answered = [chat.choose('male'), chat.choose('male')];
    await pass(1_000);

    expect(looks).toHaveLength(2);
    expect(chat.meanwhile).toHaveLength(1);

    finish();
    finish();
    await Promise.all(answered);
  });

  test.each(['/faceswap 12 male private=yes', '/face save me'])(
    'a face check is announced to the caller alone for %s',
    async (line) => {
      const { chat, pass, finish } = slowChat();
      const answered = chat.type(line, photo);

      await pass(1_000);
      expect(chat.meanwhile).toMatchObject([{ audience: 'caller' }]);

      finish();
      await answered;
    },
  );

  test('a face check is announced for /groupswap, and not for several photos', async () => {
    const { chat, pass, finish, looks } = slowChat();
    const answered = chat.type('/groupswap 3', photo);

    await pass(1_000);
    expect(chat.meanwhile).toHaveLength(1);

    finish(none);
    await answered;
    await chat.type('/faceswap 12 male', photo, photo2);
    await chat.choose('All 2 (4 credits)');

    expect(looks).toEqual([]);
  });

  test('a face check is announced in the language of the caller', async () => {
    const texts = Object.values(languages).map(({ faceCheck }) => faceCheck.looking);
    expect(new Set(texts).size).toBe(5);

    const { chat, pass, finish } = slowChat();
    const hans = chat.as({ ...ann, locale: 'de' });
    const answered = hans.type('/faceswap 12 male', photo);
    await pass(1_000);

    expect(hans.meanwhile).toMatchObject([{ view: { title: languages.de.faceCheck.looking } }]);

    finish();
    await answered;
  });
});
