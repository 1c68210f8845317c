import { describe, expect, test } from 'vitest';
import { cardTitle, drawCard } from '../../../src/cards/card.ts';
import { isGateRefusal, refusalCodes, refusalTextAfterWaiting } from '../../../src/command/gate-refusal.ts';
import type { GenerateRequest } from '../../../src/command/request.ts';
import type { Media } from '../../../src/command/view.ts';
import type { Failure, Job } from '../../../src/orchestrator/job/job.ts';
import type { Words } from '../../../src/words/words.ts';
import { languages, wordsFor } from '../../../src/words/words.ts';
import { ann, photo, room, viewText } from '../../fakes/call.ts';
import type { JobFields } from '../../fakes/job.ts';
import { sampleJob } from '../../fakes/sample-job.ts';

const words = wordsFor('en');

const request: GenerateRequest = {
  kind: 'face-swap-v6',
  photo,
  filter: { by: 'number', id: 12, name: 'Pop Art' },
  gender: 'female',
};

const video: GenerateRequest = {
  kind: 'single-frame-video',
  photo,
  prompt: 'waves',
  model: 'advanced',
  duration: '4s',
  aspect: 'auto',
};

const job = (changes: JobFields): Job =>
  sampleJob({
    id: 'job-1',
    caller: ann,
    place: room,
    request,
    label: 'Pop Art',
    createdAt: 1_000_000,
    ...changes,
  });

const card = (changes: JobFields, jobStatus = {}, media?: Media | 'kept') => {
  const view = drawCard(job(changes), jobStatus, words, media);
  return {
    view,
    text: viewText(view),
    verbs: (view.buttons ?? []).flat().map(({ action }) => action.split(':')[0]),
  };
};

const media: Media = {
  kind: 'image',
  bytes: new Uint8Array(),
  type: 'image/png',
  name: 'result.png',
  as: 'inline',
  alt: '',
  width: 1,
  height: 1,
};

describe('the card of a job', () => {
  test('a card says what its job is', () => {
    expect(cardTitle(job({}), words)).toBe('Face swap · Pop Art');
    expect([...cardTitle(job({ label: '🦊'.repeat(300) }), words)].length).toBeLessThan(100);
  });

  test('a card says that the job is accepted, then its place in line and the wait', () => {
    expect(card({ state: 'opening' })).toMatchObject({
      text: expect.stringMatching(/Accepted/),
      verbs: ['cancel'],
    });
    expect(card({}, { position: 1, waitMs: 4000 }).text).toMatch(/next in line[\s\S]*4 s/);
    expect(card({}, { position: 3, waitMs: 61_000 }).text).toMatch(/Place in line: 3[\s\S]*1 min 5 s/);
    expect(card({}, { position: 3 }).verbs).toEqual(['cancel']);
  });

  test('a card says why a job waits alone, or for the service', () => {
    const busy = card({}, { resting: 'service-busy', waitMs: 30_000 });
    expect(busy.text).toMatch(/service is busy[\s\S]*Next try in about 30 s/);
    expect(card({}, { resting: 'unknown', waitMs: 3_000 }).text).toMatch(/could not start yet[\s\S]*3 s/);
    for (const outage of ['unavailable', 'credits', 'credentials', 'address'] as const)
      expect(card({}, { position: 1, outage }).text).toContain(words.card.outage[outage]);
  });

  test('a card shows progress with the time left, which never runs backwards and never claims to be done', () => {
    const running = { state: 'running', submittedAt: 1_000_500 } as const;
    expect(card(running, { progress: 0.4, remainingMs: 12_300 })).toMatchObject({
      view: { bar: 0.4, tone: 'busy' },
      text: expect.stringMatching(/About 13 s left/),
      verbs: ['cancel'],
    });
    expect(card({ ...running, shownProgress: 0.6 }, { progress: 0.4 }).view.bar).toBe(0.6);
    expect(card(running, { progress: 7 }).view.bar).toBeLessThan(1);
    expect(card(running, { progress: -1 }).view.bar).toBe(0);
    expect(card(running, { progress: 0.97, remainingMs: -5 }).text).toMatch(/longer than usual/);
    expect(card(running, { progress: 0.4, outage: 'unavailable' }).text).toMatch(/not answering/);
    expect(card({ state: 'submitting' })).toMatchObject({
      text: expect.stringMatching(/Sending/),
      verbs: ['cancel'],
    });
    expect(card({ state: 'delivering' })).toMatchObject({ verbs: [], view: { bar: 0.99 } });
  });

  test('a card shows a picture with filter, time, credits, AI-generated, and the next actions', () => {
    const done = card(
      { state: 'done', charge: 'spent', submittedAt: 1_002_000, finishedAt: 1_014_000 },
      {},
      media,
    );
    expect(done.text).toBe('Face swap · Pop Art\nTook 12 s · 2 credits\nAI-generated');
    expect(done.verbs).toEqual(['again', 'other', 'animate', 'compare', 'file', 'delete', 'report']);
    expect(done.view.media).toBe(media);
  });

  test('a card whose message has the picture already looks the same', () => {
    const { media: _, ...bare } = card({ state: 'done', private: true }, {}, media).view;
    const keepsMedia = words.card.expired;
    expect(card({ state: 'done', private: true }, {}, 'kept').view).toEqual({ ...bare, keepsMedia });
  });

  test('a card offers to share a private result once, where somebody else is', () => {
    const hidden = { state: 'done', private: true } as const;
    const isShared = (changes: JobFields) => card(changes, {}, media).verbs.includes('share');
    expect(isShared(hidden)).toBe(true);
    expect(isShared({ ...hidden, private: false })).toBe(false);
    expect(isShared({ ...hidden, place: { ...room, direct: true } })).toBe(false);
    expect(isShared({ ...hidden, place: { ...room, community: 'discord:dm:1' } })).toBe(false);
    expect(card(hidden).verbs).not.toContain('share');
    expect(isShared({ ...hidden, shared: { at: 1 } })).toBe(false);

    const shared = { ...hidden, shared: { at: 1, card: { platform: 'web', ref: 'there' } } } as const;
    expect(isShared(shared)).toBe(false);
    expect(card(shared, {}, media).text).toContain(words.share.done);
  });

  test('a card offers the service’s own file, but where its message has exactly that', () => {
    const isOffered = (shown: Media | 'kept') => card({ state: 'done' }, {}, shown).verbs.includes('file');
    expect(isOffered(media)).toBe(true);
    expect(isOffered('kept')).toBe(true);
    expect(isOffered({ kind: 'link', url: 'https://example.com/a.mp4', label: 'A' })).toBe(true);
    expect(isOffered({ ...media, isOriginal: true })).toBe(false);
    expect(card({ state: 'done' }).verbs).not.toContain('file');
  });

  test('a card offers to compare a result with its one photo, if that can be fetched', () => {
    const isCompared = (changed: Partial<GenerateRequest>, shown: Media | undefined = media) => {
      const made = { ...request, ...changed } as GenerateRequest;
      return card({ state: 'done', request: made }, {}, shown).verbs.includes('compare');
    };

    expect(isCompared({})).toBe(true);
    expect(isCompared({ photo: { from: 'link', url: 'https://example.com/a.jpg' } })).toBe(false);
    expect(isCompared({ photo: { from: 'face', name: 'me' } })).toBe(true);
    expect(isCompared(video)).toBe(false);

    const classic = { kind: 'multi-swap-classic', style: { by: 'number', id: 1, name: 'Noir' } } as const;
    expect(isCompared({ ...classic, photos: [photo] })).toBe(true);
    expect(isCompared({ ...classic, photos: [photo, photo] })).toBe(false);
    expect(card({ state: 'done' }).verbs).not.toContain('compare');
  });

  test('a card says so where a result comes without its bytes', () => {
    expect(card({ state: 'done' }).text).toMatch(/not kept/);
  });

  /** Why a job failed. */
  const whyIn = (language: Words, code: Failure['code']): string =>
    isGateRefusal(code) ? refusalTextAfterWaiting(code, language) : language.failure[code];

  test.each([...(Object.keys(words.failure) as Failure['code'][]), ...refusalCodes])(
    'a card of a failure (%s) says why, and that the credits were returned',
    (code) => {
      for (const language of Object.values(languages)) {
        const view = drawCard(job({ state: 'failed', charge: 'returned', failure: { code } }), {}, language);
        expect(viewText(view)).toContain(whyIn(language, code));
        expect(viewText(view)).toContain(language.card.returned(2));
        expect((view.buttons ?? []).flat().map(({ action }) => action)).toEqual(['retry:job-1']);
      }
    },
  );

  test('a card shows the service’s message as such, and errors of this program without details', () => {
    const shown = (code: Failure['code']) =>
      card({ state: 'failed', charge: 'spent', failure: { code, detail: 'no groups' } }).text;

    for (const code of ['refused', 'filter-unfit', 'generation-failed'] as const)
      expect(shown(code)).toContain('The service says: no groups');
    for (const code of ['photo-unavailable', 'photo-invalid', 'alias-gone', 'alias-mismatch'] as const) {
      expect(shown(code)).toContain('(no groups)');
      expect(shown(code)).not.toContain('The service says');
    }
  });

  test('a card says that a cancellation before sending returns the credits, and that they stay spent later', () => {
    expect(card({ state: 'cancelled', charge: 'returned' })).toMatchObject({
      text: expect.stringMatching(/Cancelled\.[\s\S]*2 credits refunded/),
      verbs: ['retry'],
    });
    expect(card({ state: 'cancelled', charge: 'spent' }).text).toMatch(/cannot be stopped there.*stay spent/);
  });

  test('a card shows an uncertain outcome as uncertain', () => {
    const { text, verbs, view } = card({ state: 'uncertain', charge: 'spent' });
    expect(text).toMatch(/not certain whether it was submitted[\s\S]*not sent again automatically/);
    expect(verbs).toEqual(['retry']);
    expect(view.tone).toBe('failed');
  });

  test('the data of every button of a card fits into 64 bytes with the longest id', () => {
    const id = '3f2b8c1e-9d4a-4c6b-8e7f-0a1b2c3d4e5f';
    for (const state of ['waiting', 'running', 'done', 'failed', 'uncertain'] as const)
      for (const { action } of (drawCard(job({ id, state }), {}, words).buttons ?? []).flat())
        expect(action.length).toBeLessThanOrEqual(64);
  });
});

test('a card whose photo or result cannot be looked at says so, and that it waits', () => {
  const resting = card({ state: 'waiting', resting: 'unchecked' }, { resting: 'unchecked', waitMs: 60_000 });
  expect(resting.text).toContain('The photo cannot be checked right now, and no photo is sent unchecked.');
  expect(card({ state: 'waiting' }, { checking: true }).text).toContain(words.card.checkingPhoto);

  const result = card({ state: 'delivering', unchecked: true });
  expect(result.text).toContain(words.card.checkingResult);
  expect(result.view.media).toBeUndefined();
});
