import { beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../../commands/index.ts';
import type { JobSummary } from '../../../src/command/jobs-port.ts';
import { isNote } from '../../../src/command/reply.ts';
import type { GenerateRequest } from '../../../src/command/request.ts';
import { wordsFor } from '../../../src/words/words.ts';
import {
  ann,
  bob,
  buttonsOf,
  createFakeChat,
  direct,
  labelsOf,
  photo,
  photo2,
  uuid,
} from '../../fakes/call.ts';

const request: GenerateRequest = {
  kind: 'face-swap-v6',
  photo,
  filter: { by: 'number', id: 12, name: 'Pop Art' },
  gender: 'female',
  quality: 'v6',
};

const job: JobSummary = {
  id: 'job-1',
  state: 'done',
  kind: 'face-swap-v6',
  label: 'Pop Art',
  credits: 2,
  createdAt: 0,
  owner: 'web:ann',
  community: 'web:room',
};

let chat: ReturnType<typeof createFakeChat>;

beforeEach(() => {
  chat = createFakeChat();
  chat.state.jobs = [{ ...job, request, result: { from: 'web', ref: 'result-1' } }];
});

describe('buttons of a job', () => {
  test('Again repeats the request, and each press is an event of its own that names the first job', async () => {
    await chat.press('again:job-1');
    await chat.press('again:job-1');
    expect(chat.state.generated).toMatchObject([
      { request, private: false, event: 'event-1', againOf: 'job-1' },
      { request, private: false, event: 'event-2', againOf: 'job-1' },
    ]);
  });

  test('a press whose data was changed by hand does nothing: it is too long, or has more parts than a button', async () => {
    const { press } = wordsFor('en');
    expect(await chat.press('again:job-1:draft-1.0:more')).toBe(press.notFound);
    expect(await chat.press(`again:job-1:draft-1.0${'0'.repeat(64)}`)).toBe(press.stale);
    expect(chat.state.generated).toEqual([]);
  });

  test('Again on a job that others could see is not private, even if it is pressed in a direct chat', async () => {
    await chat.as(ann, direct).press('again:job-1');
    expect(chat.state.generated).toMatchObject([{ request, private: false }]);
  });

  test('Again that needs consent first is still recognised as Again', async () => {
    chat.state.consented.clear();
    await chat.press('again:job-1');
    expect(chat.state.generated).toEqual([]);

    await chat.press('consent:draft-1');
    expect(chat.state.generated).toMatchObject([{ request, event: 'event-1', againOf: 'job-1' }]);
  });

  test('Retry repeats the request, as one event however often it is pressed', async () => {
    await chat.press('retry:job-1');
    await chat.press('retry:job-1');
    expect(chat.state.generated.map(({ event }) => event)).toEqual(['retry:job-1', 'retry:job-1']);
    expect(chat.state.generated[0]).toMatchObject({ request, private: false });
  });

  test('Again is as private as the first request, and checked like it', async () => {
    chat.state.jobs = [{ ...job, private: true, request }];
    await chat.press('again:job-1');
    expect(chat.state.generated[0]?.private).toBe(true);

    chat.state.paused = { reason: '' };
    expect(await chat.press('again:job-1')).toMatch(/paused/);

    chat.state.paused = undefined;
    chat.state.blocked.add('web:ann');
    expect(await chat.press('again:job-1')).toMatch(/cannot use this/);

    chat.state.blocked.clear();
    chat.state.bannedWords.push('grue');
    chat.state.jobs = [{ ...job, request: { kind: 'self-prompt', photo, prompt: 'a grue' } }];
    expect(await chat.press('again:job-1')).toMatch(/does not allow/);
    expect(chat.state.generated).toHaveLength(1);
  });

  test('Other filter asks for another filter and keeps the rest', async () => {
    expect(await chat.press('other:job-1')).toMatch(/Choose one/);

    await chat.choose('7 · Noir');
    expect(chat.state.generated[0]?.request).toEqual({
      kind: 'face-swap-v6',
      photo,
      filter: { by: 'number', id: 7, name: 'Noir' },
      gender: 'female',
    });
  });

  test('Other filter of a prompt for several photos offers styles that take several', async () => {
    const prompted: GenerateRequest = {
      kind: 'multi-swap-realistic-prompt',
      photos: [photo, photo2],
      prompt: 'a band',
    };

    chat.state.jobs = [{ ...job, kind: prompted.kind, request: prompted }];
    await chat.press('other:job-1');

    expect(labelsOf(chat.last)).not.toContain('Give "prompt" instead');

    await chat.choose('3 · Travel Poster');
    expect(chat.state.generated).toMatchObject([
      { request: { kind: 'multi-swap-classic', photos: [photo, photo2], style: { id: 3 } } },
    ]);
  });

  test('Animate takes the result and asks what should happen', async () => {
    expect(await chat.press('animate:job-1')).toMatch(/What should happen/);
    expect(buttonsOf(chat.last)).toHaveLength(4);

    await chat.choose('Wind moves hair and clothes');
    expect(chat.state.generated[0]?.request).toMatchObject({
      kind: 'single-frame-video',
      photo: { from: 'web', ref: 'result-1' },
      prompt: 'Wind moves hair and clothes',
    });
  });

  test('a button that needs a result answers with a message where there is none', async () => {
    chat.state.jobs = [{ ...job, request }];
    expect(await chat.press('animate:job-1')).toMatch(/no longer available/);
  });

  test('each other button of a job does what it says', async () => {
    expect(await chat.press('cancel:job-1')).toBe('cancelled job-1');
    expect(await chat.press('delete:job-1')).toBe('removed job-1');
    expect(await chat.press('report:job-1')).toBe('reported job-1');
    expect(await chat.press('show:job-1')).toBe('shown job-1');
    expect(await chat.press('share:job-1')).toBe('shared job-1');
    expect(await chat.press('compare:job-1')).toBe('compared job-1');
    expect(await chat.press('file:job-1')).toBe('sent the file of job-1');
    expect(await chat.press('unshare:job-1')).toBe('unshared job-1');
    expect(await chat.press('discard:job-1')).toBe('discarded job-1');
  });
});

describe('who may press', () => {
  test('Delete removes the message of an unknown job, for moderators and in one’s own chat', async () => {
    chat.state.moderators.add('web:bob');
    expect(await chat.as(bob).press('delete:job-0')).toBe('took down job-0');
    expect(await chat.as(ann, direct).press('delete:job-0')).toBe('took down job-0');
    expect(await chat.press('delete:job-0')).toMatch(/no longer exists/);
    // A press in a list of jobs does not remove the list, because it is no message of the job.
    expect(await chat.as(bob).press('delete:job-0:draft.0')).toMatch(/no longer exists/);
    expect(await chat.as(bob).press('delete:job 0')).toMatch(/no longer exists/);
    for (const verb of ['cancel', 'again', 'report', 'show'])
      expect(await chat.as(bob).press(`${verb}:job-0`)).toMatch(/no longer exists/);
  });

  test.each([
    '',
    ':',
    'again',
    'again:',
    'again:nobody',
    'again:job-1:extra',
    'again:../../etc',
    'nonsense:job-1',
    'toString:job-1',
    'pick:draft-1:filter:12',
    'pick:',
    'page:x:y',
    'consent:draft-99',
    'erase:draft-99:yes',
    `again:${'x'.repeat(100)}`,
  ])('a forged or stale press "%s" is answered politely', async (action) => {
    expect(await chat.press(action)).toMatch(/no longer/);
    expect(chat.last && isNote(chat.last)).toBe(true);
    expect(chat.state.errors).toEqual([]);
    expect(chat.state.generated).toEqual([]);
  });

  test('forged options and commands of a real draft change nothing', async () => {
    await chat.type('/faceswap 12', photo);
    await chat.press('pick:draft-1:__proto__:x');
    await chat.press('pick:draft-1:nonsense:x');

    expect(await chat.press('ask:draft-1:nonsense')).toMatch(/no longer valid/);
    expect(await chat.press('ask:draft-1:constructor')).toMatch(/no longer valid/);
    expect(await chat.press('do:draft-1:settings')).toMatch(/no longer valid/);
    expect(await chat.press('pick:draft-1:gender:alien')).toMatch(/male, female/);
    expect(chat.state.generated).toEqual([]);
    expect(chat.state.errors).toEqual([]);

    await chat.press('pick:draft-1:gender:male');
    expect(chat.state.generated).toHaveLength(1);
  });
});

test('the data of every button fits into 64 bytes, whatever is asked', async () => {
  chat = createFakeChat(ann, direct);
  chat.state.references = [
    { value: uuid, label: 'Neon' },
    { value: 'a-name-of-thirty-two-characters-x', label: 'long' },
    { value: 'ü'.repeat(40), label: 'too long to press' },
  ];
  const seen: string[] = [];
  const note = () => seen.push(...buttonsOf(chat.last).map(({ action }) => action));
  for (const { name } of commands.filter(({ generates }) => generates)) {
    await chat.type(`/${name}`, photo);
    note();
    await chat.type(`/${name}`, photo, photo2);
    note();
  }
  await chat.type('/privacy');
  note();

  expect(seen.length).toBeGreaterThan(8);
  for (const action of seen) expect(action).toMatch(/^[\x20-\x7e]{1,64}$/);
});
