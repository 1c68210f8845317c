import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../src/adapters/web/outgoing/message.ts';
import { openStoreToRead } from '../../src/store/store.ts';
import { allOf } from '../all-of.ts';
import { eventually } from '../eventually.ts';
import { type Browser, openBrowser } from '../fakes/web/browser.ts';
import { createDataFolder, type Program, startProgram } from './program.ts';
import type { Line, Member, Seen } from './stage/chat.ts';
import { teachQuickness } from './stage/experience.ts';
import { photo as plain } from './stage/lines.ts';
import { colourOf, photoOf, resultOf } from './stage/pictures.ts';
import { createStage, stage, useStage } from './stage/stage.ts';

const made = await resultOf('#e0a010');
const green = await photoOf('#20c020');
/** Lies on its side, and tells where it was taken. */
const located = await sharp({
  create: {
    width: 320,
    height: 200,
    channels: 3,
    background: '#2020c0',
    noise: { type: 'gaussian', mean: 128, sigma: 40 },
  },
})
  .withExif({ IFD0: { Artist: 'Ann of Darkroom Lane' } })
  .withMetadata({ orientation: 6 })
  .jpeg()
  .toBuffer();

const key = randomBytes(32);
let runningMs = 40;
useStage({
  script: { jobs: () => ({ queuedMs: 0, runningMs, result: made }) },
  env: { STORE_KEY: key.toString('base64'), CONSENT: 'required', USER_CONCURRENT_JOBS: '1' },
});
afterEach(() => {
  runningMs = 40;
});

const face = (subcommand: string, name?: string, photo?: Uint8Array): Line => ({
  command: `face ${subcommand}`,
  ...(name === undefined ? {} : { given: { name } }),
  ...(photo === undefined ? {} : { photos: { photo } }),
});
const isMade = ({ media }: Seen): boolean => media !== undefined;
const lastSent = (): Buffer => Buffer.from(String(stage.recorder.runs().at(-1)?.body.base64), 'base64');
const saveFirst = async (member: Member, photo: Uint8Array): Promise<void> => {
  const question = await member
    .sends({ ...face('save', 'me', photo), given: { name: 'me', gender: 'female' } })
    .says('agreed');
  await member.press(question, 'I confirm, continue').says('"me" is saved');
};
/** All that the program has written. */
const written = (): Buffer => {
  const data = join(stage.folder, 'data');
  return Buffer.concat(readdirSync(data).map((name) => readFileSync(join(data, name))));
};
const tracesOf = (picture: Buffer): readonly (string | Buffer)[] => {
  const part = picture.subarray(picture.length / 2, picture.length / 2 + 30);
  const base64 = [0, 1, 2].map((skipped) => part.subarray(skipped, skipped + 27).toString('base64'));
  return [part, part.toString('hex'), ...base64];
};

describe.each(['discord', 'telegram'] as const)('on %s', (name) => {
  const newcomers = (...names: readonly string[]): readonly Member[] => {
    const room = stage.platforms[name].room();
    return names.map((each) => room.member(`${each} of ${name}`));
  };

  it('a face is saved cleaned and encrypted, and used without anything more being asked', async () => {
    const [ann] = newcomers('Ann');
    if (ann === undefined) throw new Error('nobody');
    await saveFirst(ann, located);
    const list = await ann.sends(face('list')).says('default');
    expect(list.private).toBe(true);
    expect(list.text).toMatch(/me .*female/);
    const swapped = await ann
      .sends({ command: 'faceswap', given: { face: 'me', filter: '12' } })
      .until(isMade, 'the result');
    const sent = lastSent();
    const { width, height, exif } = await sharp(sent).metadata();
    expect({ width, height, exif }).toEqual({ width: 200, height: 320, exif: undefined });
    expect(stage.recorder.runs().at(-1)?.body).toMatchObject({ gender: 1 });
    // The photo that was sent is the one that is stored, byte for byte: nothing of it can be found.
    expect(tracesOf(sent).filter((trace) => written().includes(trace))).toEqual([]);
    expect(tracesOf(located).filter((trace) => written().includes(trace))).toEqual([]);

    await stage.restart('kill');
    await ann.press(swapped, 'Again').until((seen) => seen.id !== swapped.id && isMade(seen), 'a second one');
    expect(lastSent()).toEqual(sent);
    const both = await ann
      .press(swapped, 'Before / after')
      .until((seen) => seen.id !== swapped.id && seen.text.includes('Before / after'), 'both');
    expect({ private: swapped.private, both: both.private }).toEqual({ private: false, both: true });
    // In a direct chat, too.
    await ann
      .directly()
      .sends({ command: 'faceswap', given: { face: 'me', filter: '3' } })
      .until(isMade, 'the result');
    await ann.sends(face('delete', 'me')).says('"me" was deleted');
    await ann.press(swapped, 'Again').says('no saved face "me"');
  });

  it('the default is a button wherever a photo is asked for, also after a restart', async () => {
    const [ann, bob] = newcomers('Anna', 'Bob');
    if (ann === undefined || bob === undefined) throw new Error('nobody');
    await saveFirst(ann, plain);
    await ann.sends(face('save', 'secretive', green)).says('"secretive" is saved');
    await ann.sends(face('default', 'secretive')).says('default');
    const question = await ann
      .sends({ command: 'faceswap', given: { filter: '12', gender: 'male' } })
      .until(({ buttons }) => buttons.includes('Use my saved face'), 'the question');
    const data = ann.dataOf(question, 'Use my saved face');
    // Whoever reads along learns nothing.
    expect(JSON.stringify([question, data])).not.toContain('secretive');
    await stage.restart('kill');
    await bob.press(question, 'Use my saved face').says('belongs to someone else');
    await ann.press(question, 'Use my saved face').until(isMade, 'the result');
    expect(await colourOf(lastSent())).toEqual(await colourOf(green));
    const alone = await ann
      .directly()
      .sends({ command: 'groupswap', given: { style: '3' } })
      .until(({ buttons }) => buttons.includes('Use "me"'), 'the question');
    expect(alone.buttons.filter((label) => label.startsWith('Use'))).toEqual(['Use "secretive"', 'Use "me"']);
    await ann.directly().press(alone, 'Use "me"').until(isMade, 'the result');
  });

  it('nobody can use the face of another person', async () => {
    const [ann, eve] = newcomers('Annie', 'Eve');
    if (ann === undefined || eve === undefined) throw new Error('nobody');
    await saveFirst(ann, plain);
    const asked = await ann
      .sends({ command: 'faceswap', given: { filter: '12' } })
      .until(({ buttons }) => buttons.includes('Use my saved face'), 'the question');
    const hers = ann.dataOf(asked, 'Use my saved face').split(':').at(-1);
    const before = stage.recorder.runs().length;
    await eve
      .sends({ command: 'faceswap', given: { face: 'me', filter: '12', gender: 'male' } })
      .says('no saved face "me"');
    await saveFirst(eve, green);
    const own = await eve
      .sends({ command: 'faceswap', given: { filter: '12' } })
      .until(({ buttons }) => buttons.includes('Use my saved face'), 'the question');
    const forged = eve.dataOf(own, 'Use my saved face').replace(/[^:]+$/, hers ?? '');
    await eve.forge(own, forged).says('no longer valid');
    expect(stage.recorder.runs()).toHaveLength(before);
  });

  it('the audit trail says who and when, in no community and without the name', async () => {
    const [ann, mod] = newcomers('Annelie', 'Mod');
    if (ann === undefined || mod === undefined) throw new Error('nobody');
    await saveFirst(ann, plain);
    await ann.sends(face('save', 'confidential', green)).says('saved');
    await ann.sends(face('default', 'confidential')).says('default');
    await ann.sends(face('delete', 'confidential')).says('deleted');
    mod.moderates(true);
    const trail = await mod.sends({ command: 'settings log' }).until(({ text }) => text !== '', 'the trail');
    expect(trail.text).not.toContain('face.');
    const file = `sqlite:${join(stage.folder, 'data', 'darkroom.sqlite')}`;
    const store = await openStoreToRead(file, [key]);
    const lines = (await allOf(store.audit.since(0))).filter(({ actor }) => actor === ann.key);
    await store.close();
    const community = ann.key.replace(':', ':dm:');
    expect(lines.map(({ at: _, ...line }) => line)).toEqual(
      ['save', 'save', 'default', 'delete'].map((what) => ({
        community,
        actor: ann.key,
        action: `face.${what}`,
        detail: {},
      })),
    );
  });

  it('a face that is deleted while its job waits fails it, and the credits are returned', async () => {
    const [ann] = newcomers('Annika');
    if (ann === undefined) throw new Error('nobody');
    await saveFirst(ann, plain);
    runningMs = 600_000;
    const line: Line = { command: 'faceswap', given: { face: 'me', filter: '3' } };
    const taken = (): number => stage.recorder.runs().filter(({ status }) => status === 200).length;
    const before = taken();
    ann.sends(line);
    await eventually(() => taken() > before, 'that it runs');
    const second = await ann.sends(line).says('next in line');
    await ann.sends(face('delete', 'me')).says('deleted');
    runningMs = 40;
    stage.laterAtService(600_000);
    await eventually(() => ann.again(second)?.text.includes('could not be fetched'), 'the reason');
    expect(ann.again(second)?.text).toContain('refunded');
  });
});

describe('on Telegram', () => {
  it('a photo in reply, in an album or sent afterwards can be saved; a link cannot', async () => {
    const { telegram } = stage;
    const ann = telegram.person('Ann of replies');
    const said = (text: string): Promise<unknown> =>
      telegram.until(() => telegram.fromBot(ann.chat).find((each) => each.text?.includes(text)), text);
    ann.says(ann.chat, '/face save me');
    await said('Send the photo as your next message');
    ann.says(ann.chat, '', { photo: plain });
    await said('agreed');
    const question = telegram.fromBot(ann.chat).findLast((each) => each.text?.includes('agreed'));
    if (question === undefined) throw new Error('no question');
    ann.presses(question, 'I confirm, continue');
    await said('"me" is saved');
    const photo = ann.says(ann.chat, '', { photo: green });
    ann.replies(photo, '/face save replied male');
    await said('"replied" is saved');
    ann.album(ann.chat, [plain, green], '/face save album');
    await said('"album" is saved');
    ann.says(ann.chat, '/face save linked https://pictures.example/me.jpg');
    await said('not a link');
  });

  it('in a group, which face is meant is asked in private', async () => {
    const ann = stage.platforms.telegram.room().member('Ann in a group');
    await saveFirst(ann, plain);
    const question = await ann
      .sends(face('delete'))
      .until(({ buttons }) => buttons.includes('me'), 'the question');
    expect(question.private).toBe(true);
    await ann.press(question, 'me').says('"me" was deleted');
    expect(JSON.stringify(ann.room())).not.toContain('deleted');
  });

  it('somebody who speaks as an anonymous administrator has no faces', async () => {
    const { telegram } = stage;
    const group = telegram.group('Anonymous club', { botHearsAll: true });
    const ann = telegram.person('Ann the admin');
    telegram.promote(group, ann);
    ann.says(group, '/face list', { anonymous: true });
    await telegram.until(
      () => telegram.fromBot(group).some((each) => each.text?.includes('under your own name')),
      'the refusal',
    );
  });
});

describe('in the playground', () => {
  const textOf = ({ view }: Message): string => JSON.stringify([view?.title, view?.lines, view?.buttons]);
  const shows = (browser: Browser, room: string, text: string): Promise<Message> =>
    eventually(async () => {
      const found = (await browser.messages(room)).findLast((each) => textOf(each).includes(text));
      return found;
    }, text);
  const folder = createDataFolder();
  let program: Program;
  beforeAll(async () => {
    const [url, key] = [
      `sqlite:${join(folder.path, 'data', 'darkroom.sqlite')}`,
      randomBytes(32).toString('base64'),
    ];
    await teachQuickness(url, key);
    program = await startProgram(folder.path, {
      STORE_URL: url,
      STORE_KEY: key,
      GENERATION_URL: stage.recorder.url,
      GENERATION_API_KEY: stage.service.apiKey,
      GENERATION_TOKEN: stage.service.token,
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
    });
  });
  afterAll(async () => {
    await program.stop();
    folder.remove();
  });

  it('a face is saved, completed, offered, used and deleted', async () => {
    const ann = await openBrowser(program.url, 'ann');
    await ann.say('studio', '/face save me female', [plain]);
    await ann.press(await shows(ann, 'studio', 'I confirm'), 'I confirm, continue');
    await shows(ann, 'studio', '\\"me\\" is saved');
    const bob = await openBrowser(program.url, 'bob');
    expect(JSON.stringify(await bob.messages('studio'))).not.toContain('is saved');
    const complete = async (browser: Browser): Promise<unknown> =>
      (await browser.ask('/api/complete?room=studio&command=faceswap&option=face&typed=')).json();
    expect(await complete(ann)).toMatchObject({ suggestions: [{ value: 'me' }] });
    expect(await complete(bob)).toEqual({ suggestions: [] });
    await ann.say('studio', '/faceswap face=me 12');
    await eventually(
      async () => (await ann.messages('studio')).some(({ view }) => view?.media?.kind === 'image'),
      'the result',
    );
    await ann.say('studio', '/faceswap 3');
    await ann.press(await shows(ann, 'studio', 'Use my saved face'), 'Use my saved face');
    await eventually(
      async () =>
        (await ann.messages('studio')).filter(({ view }) => view?.media?.kind === 'image').length >= 2,
      'the second result',
    );
    await ann.say('studio', '/face delete me');
    await shows(ann, 'studio', '\\"me\\" was deleted');
  });
});

it('without STORE_KEY it says that the owner has not switched it on', async () => {
  const plainStage = await createStage({ result: made });
  try {
    for (const name of ['discord', 'telegram'] as const) {
      const ann = plainStage.platforms[name].room().member('Ann without');
      await ann.sends(face('save', 'me', plain)).says('not switched on');
      await ann
        .sends({ command: 'faceswap', given: { face: 'me', filter: '12', gender: 'male' } })
        .says('not switched on');
      const question = await ann
        .sends({ command: 'faceswap', given: { filter: '12', gender: 'male' } })
        .says('The photo with the face');
      expect(question.buttons.filter((label) => label.startsWith('Use'))).toEqual([]);
      await ann.sends({ command: 'privacy' }).says('never written to disk');
    }
  } finally {
    await plainStage.close();
  }
});
