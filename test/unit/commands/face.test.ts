import { describe, expect, test } from 'vitest';
import type { PhotoRef } from '../../../src/command/photo.ts';
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
} from '../../fakes/call.ts';

const face = (name: string): PhotoRef => ({ from: 'face', name });

const requests = ({ state }: ReturnType<typeof createFakeChat>) =>
  state.generated.map(({ request }) => request);

/** A chat of somebody who has saved these faces. */
const chatWith = async (...saved: readonly string[]) => {
  const chat = createFakeChat();
  for (const each of saved) await chat.type(`/face save ${each}`, photo);
  return chat;
};

describe('/face', () => {
  test('/face saves, lists, sets the default and deletes, for the caller alone', async () => {
    const chat = createFakeChat();
    expect(await chat.type('/face list')).toMatch(/none yet/);
    expect(await chat.type('/face save me female', photo)).toMatch(/"me" is saved/);
    expect(chat.last).toMatchObject({ kind: 'message', audience: 'caller' });
    expect(await chat.type('/face save name=Work gender=male', photo2)).toMatch(/"work" is saved/);
    expect(await chat.type('/face list')).toMatch(/me · default · female.*\nwork · male/s);
    expect(chat.last).toMatchObject({ audience: 'caller' });
    expect(await chat.type('/face default work')).toMatch(/"work" is your default/);
    expect(await chat.type('/face list')).toMatch(/work · default.*\nme · female/s);
    expect(await chat.type('/face delete work')).toMatch(/"work" was deleted.*\n"me" is your default/s);
    expect(chat.last).toMatchObject({ audience: 'caller' });
    expect(await chat.type('/face delete work')).toMatch(/no saved face "work"/);

    const other = chat.as(bob);
    expect(await other.type('/face list')).toMatch(/none yet/);
    expect(await other.type('/face delete me')).toMatch(/no saved face/);
    expect(await other.type('/face default me')).toMatch(/no saved face/);
    expect(await chat.as(ann, direct).type('/face list')).toMatch(/me · default/);
  });

  test('a face that is saved again under its name is replaced and stays the default', async () => {
    const chat = await chatWith('me female', 'work');
    expect(await chat.type('/face save me', photo2)).toMatch(/"me" has a new photo/);
    expect(await chat.type('/face list')).toMatch(/me · default · last used/);
  });

  test('the name of a face has up to 32 plain letters', async () => {
    const chat = createFakeChat();
    for (const name of ['a b', '../etc', 'ä', 'x'.repeat(33), '<script>', '__proto__', '💀'])
      expect(await chat.command('face', { name, photo }, 'save')).toMatch(/1 to 32 characters/);
    expect(await chat.type('/face list')).toMatch(/none yet/);

    const names = ['constructor', 'to-string', '-', '12', 'x'.repeat(32)];
    for (const name of names) {
      await chat.command('face', { name, photo }, 'save');
      await chat.type(`/faceswap face=${name} 12 female`);
    }
    expect(requests(chat)).toMatchObject(names.map((name) => ({ photo: face(name) })));
  });

  test('/face save asks for the photo without offering a saved face, and for the name, which other people do not see', async () => {
    const chat = createFakeChat();

    for (const name of ['me', 'other']) {
      await chat.type(`/face save ${name}`);
      expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'photo' }] });
      expect(labelsOf(chat.last)).toEqual([]);
      expect(await chat.type('', photo)).toMatch(/saved/);
    }
    await chat.type('/face delete');

    expect(chat.last).toMatchObject({ kind: 'ask', audience: 'caller' });
    expect(labelsOf(chat.last)).toEqual(['me', 'other']);
    expect(await chat.choose('me')).toMatch(/deleted/);
  });

  test('/face needs consent first, and goes on after it', async () => {
    const chat = createFakeChat();
    chat.state.consented.clear();
    expect(await chat.type('/face save me', photo)).toMatch(/agreed/);
    expect(await chat.type('/face list')).toMatch(/none yet/);

    await chat.type('/face save me', photo);
    expect(await chat.choose('I confirm, continue')).toMatch(/saved/);
    expect(await chat.type('/face list')).toMatch(/me · default/);
  });

  test('a blocked person can list and delete faces, but not save one', async () => {
    const chat = await chatWith('me', 'work');
    chat.state.blocked.add('web:ann');
    expect(await chat.type('/face save other', photo)).toMatch(/blocked/);
    expect(await chat.type('/face default work')).toMatch(/blocked/);
    expect(await chat.type('/face list')).toMatch(/me · default/);
    expect(await chat.type('/face delete me')).toMatch(/deleted/);

    chat.state.blocked.clear();
    expect(await chat.type('/face list')).toMatch(/^Your saved faces\nwork · default[^\n]*$/);
  });

  test('/face says so where no STORE_KEY is set, and no button for it appears', async () => {
    const chat = createFakeChat();
    chat.state.faces = undefined;
    for (const line of ['/face save me', '/face list', '/face delete me', '/face default me'])
      expect(await chat.type(line, photo)).toMatch(/not switched on/);
    expect(await chat.type('/faceswap face=me 12 female')).toMatch(/not switched on/);

    await chat.type('/faceswap 12 female');
    expect(labelsOf(chat.last)).toEqual([]);
    expect(await chat.type('/privacy')).toMatch(/never written to disk/);
    expect(await createFakeChat().type('/privacy')).toMatch(/only if you keep it with \/face save/);
  });

  test('names of faces are completed while they are typed, each person’s own', async () => {
    const chat = await chatWith('me', 'work');
    const complete = async (caller: typeof ann, command: string, option: string, subcommand?: string) => {
      const asked = { caller, place: room, command, option, typed: '', ...(subcommand && { subcommand }) };
      return (await chat.desk.complete(asked, 25)).map(({ value }) => value);
    };

    expect(await complete(ann, 'faceswap', 'face')).toEqual(['me', 'work']);
    expect(await complete(ann, 'face', 'name', 'delete')).toEqual(['me', 'work']);
    expect(await complete(ann, 'face', 'name', 'save')).toEqual([]);
    expect(await complete(bob, 'faceswap', 'face')).toEqual([]);
  });
});

describe('a saved face', () => {
  test('a saved face is the photo of /faceswap, with its gender unless another one is given', async () => {
    const chat = await chatWith('me female');
    await chat.type('/faceswap face=me 12');
    await chat.type('/faceswap face=ME 12 male');
    await chat.type('/faceswap face=me prompt="a pirate"');

    expect(requests(chat)).toMatchObject([
      { kind: 'face-swap-v6', photo: face('me'), gender: 'female', filter: { id: 12 } },
      { photo: face('me'), gender: 'male' },
      { kind: 'self-prompt', photo: face('me'), gender: 'female' },
    ]);
  });

  test('a saved face without a gender is asked for it, and together with a photo it is one too many', async () => {
    const chat = await chatWith('me');
    expect(await chat.type('/faceswap face=me 12 female', photo)).toMatch(/either "photo" or "face"/);

    await chat.type('/faceswap face=me 12');
    expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'gender' }] });

    await chat.choose('male');
    expect(requests(chat)).toMatchObject([{ photo: face('me'), gender: 'male' }]);
  });

  test('a saved face of somebody else cannot be used', async () => {
    const chat = await chatWith('me female');
    const other = chat.as(bob);
    expect(await other.type('/faceswap face=me 12')).toMatch(/no saved face "me"/);
    expect(await other.command('faceswap', { photo: face('me'), filter: '12' })).toMatch(/no saved face/);

    await other.type('/faceswap 12 female');
    expect(labelsOf(other.last)).toEqual([]);

    const draft = /draft-\d+/.exec(JSON.stringify(other.last))?.[0];
    const [mine] = (await chat.state.faces?.list('web:ann')) ?? [];
    expect(await other.press(`face:${draft}:photo:${mine?.id}`)).toMatch(/no longer valid/);
    expect(requests(chat)).toEqual([]);
  });

  test.each([
    { line: '/faceswap 12', kind: 'face-swap-v6' },
    { line: '/groupswap 12', kind: 'multi-swap-realistic' },
    { line: '/animate they smile', kind: 'single-frame-video' },
  ])('a saved face is offered where $line asks for a photo', async ({ line, kind }) => {
    const chat = await chatWith('me female', 'work male');
    await chat.type('/face default work');

    await chat.type(line);
    // In a group others read the question, so it offers the default without its name.
    expect(labelsOf(chat.last)).toEqual(['Use my saved face']);
    expect(JSON.stringify(chat.last)).not.toContain('work');
    await chat.choose('Use my saved face');

    const alone = chat.as(ann, direct);
    await alone.type(line);
    expect(labelsOf(alone.last)).toEqual(['Use "work"', 'Use "me"']);
    await alone.choose('Use "me"');

    expect(requests(chat)).toMatchObject([
      { kind, photo: face('work') },
      { kind, photo: face('me') },
    ]);
  });

  test('a saved face is offered for both frames of /transition', async () => {
    const chat = await chatWith('me');
    await chat.type('/transition a morph');
    await chat.choose('Use my saved face');

    expect(chat.last).toMatchObject({ kind: 'ask', questions: [{ option: 'last' }] });

    await chat.choose('Use my saved face');
    expect(requests(chat)).toMatchObject([{ first: face('me'), last: face('me') }]);
  });

  test('forged buttons of a saved face, and those of one that was replaced, do nothing', async () => {
    const chat = await chatWith('me female');
    await chat.type('/faceswap 12');
    const [button] = buttonsOf(chat.last);
    const [, draft, , id] = button?.action.split(':') ?? [];

    await chat.press(`face:${draft}:photo:nonsense`);
    await chat.press(`face:${draft}:photo`);
    await chat.press(`face:${draft}`);
    await chat.press(`face:nobody:photo:${id}`);
    await chat.press(`face:${draft}:constructor:${id}`);
    await chat.press(`face:${draft}:filter:${id}`);
    await chat.type('/face save me female', photo2);

    expect(await chat.press(button?.action ?? '')).toMatch(/no longer valid/);
    expect(requests(chat)).toEqual([]);
    expect(chat.state.errors).toEqual([]);
  });

  test('Again with a saved face has the gender of that job', async () => {
    const chat = await chatWith('me female');
    await chat.type('/faceswap face=me 12 male');
    const [request] = requests(chat);
    if (request === undefined) throw new Error('the first command made nothing');
    chat.state.jobs.push({
      id: 'job-1',
      state: 'done',
      kind: request.kind,
      label: 'Pop Art',
      credits: 1,
      createdAt: 0,
      owner: 'web:ann',
      community: 'web:room',
      channel: 'room',
      request,
    });
    await chat.press('again:job-1');

    expect(requests(chat)).toMatchObject([{}, { photo: face('me'), gender: 'male' }]);

    await chat.type('/face delete me');
    expect(await chat.press('again:job-1')).toMatch(/no saved face/);
  });
});
