import { describe, expect, test } from 'vitest';
import { alice, buttonsOf, createFakeChat, direct, photo, uuid } from '../../fakes/call.ts';

const popArt = { by: 'number', id: 12, name: 'Pop Art' };

describe('/faceswap', () => {
  test('a number and a gender in any order make a v6 swap', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap 12 female', photo);
    await chat.type('/faceswap Female 12', photo);
    const request = { kind: 'face-swap-v6', photo, filter: popArt, gender: 'female' };
    expect(chat.state.generated.map((each) => each.request)).toEqual([request, request]);
  });

  test('v5 and v1 are engines', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap 12 male v5', photo);
    await chat.type('/faceswap 12 male engine=V1 private', photo);
    expect(chat.state.generated.map((each) => [each.request.kind, each.private])).toEqual([
      ['face-swap-v5', false],
      ['face-swap-v1', true],
    ]);
  });

  test('numbers of the oldest engine are looked up in its own list', async () => {
    const chat = createFakeChat();
    const lists: string[] = [];
    chat.state.ports = {
      reference: async (text, model, list) => {
        lists.push(`${text} ${model} ${list}`);
        return { by: 'number', id: 12, name: 'Pop Art' };
      },
    };
    await chat.type('/faceswap 12 male v1', photo);
    await chat.type('/faceswap 12 male v5', photo);
    expect(lists).toEqual(['12 face face-v1', '12 face face']);
  });

  test('a prompt makes a self-prompt, without a gender', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap an astronaut on the moon', photo);
    expect(chat.state.generated[0]?.request).toEqual({
      kind: 'self-prompt',
      photo,
      prompt: 'an astronaut on the moon',
    });
  });

  test.each([
    ['/faceswap 12 male prompt="a pirate"', /either "filter" or "prompt"/],
    [`/faceswap ${uuid} group`, /catalog filters only/],
    ['/faceswap halloween group', /catalog filters only/],
    [`/faceswap ${uuid} male quality=v6`, /catalog filters only/],
    ['/faceswap 12 male v5 v6.1', /engine v6 only/],
    ['/faceswap prompt="a pirate" engine=v1', /filters only/],
    ['/faceswap 12 gender=alien', /male, female, boy, girl, group/],
    ['/faceswap halloweeen', /no filter halloweeen/],
  ])('%s is refused before anything is spent', async (line, words) => {
    const chat = createFakeChat();
    expect(await chat.type(line, photo)).toMatch(words);
    expect(chat.state.generated).toEqual([]);
    expect(chat.last).toMatchObject({ kind: 'message', view: { tone: 'failed' } });
  });

  test('an error shows the right form and an example', async () => {
    const said = await createFakeChat().type('/faceswap 12 ratio=round', photo);
    expect(said).toContain('/faceswap photo|face filter|prompt [gender]');
    expect(said).toContain('/faceswap 12 female');
  });

  test('missing options are asked for one after the other, with buttons', async () => {
    const chat = createFakeChat(alice, direct);
    expect(await chat.type('/faceswap')).toMatch(/Send the photo/);
    expect(await chat.type('', photo)).toMatch(/Choose one/);
    await chat.choose('12 · Pop Art');
    expect(buttonsOf(chat.last).map(({ label }) => label)).toEqual([
      'male',
      'female',
      'boy',
      'girl',
      'group',
    ]);
    await chat.choose('boy');
    expect(chat.state.generated).toMatchObject([
      { request: { kind: 'face-swap-v6', photo, filter: popArt, gender: 'boy' }, event: 'event-1' },
    ]);
    expect(chat.last).toMatchObject({ kind: 'card', replaces: true });
  });

  test('a prompt can be given instead of the filter that is asked for', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap', photo);
    await chat.choose('Give "prompt" instead');
    await chat.type('a knight in the rain');
    expect(chat.state.generated[0]?.request).toMatchObject({
      kind: 'self-prompt',
      prompt: 'a knight in the rain',
    });
  });

  test('a misspelt written answer is explained and can be given again', async () => {
    const chat = createFakeChat();
    await chat.type('/faceswap male', photo);
    expect(await chat.type('Pop Arrt')).toMatch(/no filter Pop Arrt/);
    await chat.type('Pop Art');
    expect(chat.state.generated[0]?.request).toMatchObject({ filter: popArt, gender: 'male' });
  });
});
