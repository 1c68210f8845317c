import { afterAll, describe, expect, it } from 'vitest';
import type { Adapter } from '../../../../src/adapters/adapter.ts';
import { createOutgoing, type Outgoing } from '../../../../src/app/platforms/outgoing.ts';
import { DownloadMissing } from '../../../../src/base/network/download.ts';
import { UserError } from '../../../../src/command/errors.ts';
import type { Drawn } from '../../../../src/command/reply.ts';
import type { Media, View } from '../../../../src/command/view.ts';
import { CommunityError, type CommunityErrorReason } from '../../../../src/community/community-error.ts';
import { JobFailure } from '../../../../src/orchestrator/job/failure.ts';
import { en } from '../../../../src/words/en/words.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { manyScansJpeg } from '../../../fakes/hostile-pictures.ts';
import { jobWith } from '../../../fakes/job.ts';
import { requestOf } from '../../../fakes/requests.ts';
import { noAliases, openJobPorts, videoJob } from './open-job-ports.ts';

const clock = createFakeClock();
const job = videoJob('ann', { state: 'delivering' });
const opened: ReturnType<typeof openJobPorts>[] = [];
const open = (parts: Parameters<typeof openJobPorts>[1]) => {
  const ports = openJobPorts(clock, parts);
  opened.push(ports);
  return ports;
};
afterAll(() => {
  for (const ports of opened) ports.close();
});

describe('a result with a dead link', () => {
  const output = { kind: 'video', url: 'https://cdn.example.com/v.mp4' } as const;
  const drawing = (error: Error) => {
    const ports = open({ fitResult: () => Promise.reject(error) });
    return (fetches: number) =>
      ports.draw(jobWith({ ...job, fetches, state: 'delivering' }), {}, 'final', output);
  };

  it('is retried for a short time, then fails', async () => {
    const draw = drawing(new DownloadMissing('download answered 404'));
    expect(await draw(0)).toMatchObject({ state: 'unfetched' });
    await expect(draw(7)).rejects.toBeInstanceOf(JobFailure);
  });

  it('is retried for longer when the server does not answer, but not forever', async () => {
    const draw = drawing(new Error('other side closed'));
    expect(await draw(7)).toEqual({ state: 'unfetched', slow: false });
    await expect(draw(19)).rejects.toBeInstanceOf(JobFailure);
  });
});

describe('a result that may not be posted in the chat of its card', () => {
  const picture: Media = { kind: 'link', url: 'https://cdn.example.com/v.mp4', label: 'video' };

  const drawnOn = async (outcome: Drawn): Promise<readonly View[]> => {
    const views: View[] = [];
    const outgoing: Outgoing = {
      ...createOutgoing(new Map()),
      draw: async (_card, view) => {
        views.push(view);
        return view.media === undefined ? { state: 'drawn' } : outcome;
      },
    };
    const ports = open({ outgoing, fitResult: async () => picture });
    const output = { kind: 'video', url: picture.url } as const;
    expect(await ports.draw(jobWith({ ...job, state: 'done' }), {}, 'final', output)).toEqual(outcome);
    return views;
  };

  it('leaves a card that says where the result is', async () => {
    const [, note, ...more] = await drawnOn({ state: 'gone', messageRemains: true });
    expect(note?.lines).toEqual([en.notes.notHere]);
    expect(note?.buttons).toBeUndefined();
    expect(more).toEqual([]);
  });

  it('is also mentioned on a former card', async () => {
    const views: View[] = [];
    const outgoing: Outgoing = {
      ...createOutgoing(new Map()),
      draw: async (_card, view) => {
        views.push(view);
        return { state: 'drawn' };
      },
    };
    const { card } = job;
    const left = jobWith({ ...job, state: 'done', ...(card === undefined ? {} : { formerCard: card }) });
    expect(await open({ outgoing }).draw(left, {}, 'final')).toEqual({ state: 'drawn' });
    expect(views.map(({ lines }) => lines)).toEqual([[en.notes.notHere]]);
  });

  it('does not edit a deleted card', async () => {
    expect(await drawnOn({ state: 'gone' })).toHaveLength(1);
  });
});

describe('an alias that cannot be used', () => {
  const failing = (reason: CommunityErrorReason) => {
    const told: unknown[] = [];
    const ports = open({
      aliases: { ...noAliases, use: () => Promise.reject(new CommunityError(reason)) },
      aliasBroken: (_job, name, { code }) => void told.push([name, code]),
    });
    const swap = jobWith({ ...job, request: requestOf('face-swap-v6') });
    return { told, resolve: () => ports.resolve({ by: 'alias', id: 'id', name: 'xmas' }, swap) };
  };

  it.each([
    [{ code: 'alias-gone', name: 'xmas' }, 'alias-gone'],
    [{ code: 'wrong-model', name: 'xmas', needed: 'face', found: 'group' }, 'alias-mismatch'],
  ] as const)(
    '$0.code fails the job with a message, and the moderators are notified',
    async (reason, code) => {
      const { told, resolve } = failing(reason);
      await expect(resolve()).rejects.toMatchObject({ failure: { code, detail: 'xmas' } });
      expect(told).toEqual([['xmas', reason.code]]);
    },
  );
});

describe('a photo that cannot be used', () => {
  const failing = (photo: Adapter['photo']) => {
    const ports = open({ adapter: { photo } });
    return ports.photo(
      { from: 'web', ref: 'photo' },
      job,
      new AbortController().signal,
      async () => undefined,
    );
  };

  it.each<[string, Adapter['photo'], string | undefined]>([
    ['one that the platform finds too large', () => Promise.reject(new UserError('Too large.')), undefined],
    ['one of too many bytes', async () => new Uint8Array(20 * 1024 * 1024 + 1), '> 20 MB'],
    ['one of another format', async () => Buffer.from('GIF89a'), 'GIF'],
    ['none at all', async () => new Uint8Array(0), undefined],
  ])('%s fails the job with a code, and with details that need no translation', async (_, photo, detail) => {
    const failure = { code: 'photo-invalid', ...(detail === undefined ? {} : { detail }) };
    const thrown: unknown = await failing(photo).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(JobFailure);
    expect(thrown instanceof JobFailure && thrown.failure).toEqual(failure);
  });

  it('too complex: the message says what to do', async () => {
    const scans = manyScansJpeg({ width: 4000, height: 4000 }, 40_000);
    await expect(failing(async () => scans)).rejects.toMatchObject({
      failure: { code: 'photo-too-complex' },
    });
  });
});

describe('the card of another photo of an album, when it is not known whether it was sent', () => {
  const answer = { platform: 'web', ref: 'an answer' } as const;
  const other = videoJob('ann', { state: 'opening', origin: 'web:event+1' });
  const searching = (more: Partial<Adapter>) => {
    const sent: Parameters<Adapter['say']>[] = [];
    const { findCard } = open({
      adapter: {
        find: async () => ({ platform: 'web', ref: 'the answer' }),
        async say(...said) {
          sent.push(said);
          return { state: 'drawn', card: { platform: 'web', ref: 'sent' } };
        },
        ...more,
      },
    });
    return { findCard, sent };
  };

  it('is sent where the job is, as the one message of that job', async () => {
    const { findCard, sent } = searching({});
    expect(await findCard(answer, other)).toEqual({ platform: 'web', ref: 'sent' });
    expect(sent).toMatchObject([[{ place: other.place }, { tone: 'busy' }, { job: other.id }]]);
  });

  it('goes to its caller if it is private, or refused there', async () => {
    const own = searching({});
    await own.findCard(answer, jobWith({ ...other, private: true }));
    expect(own.sent.map(([to]) => to)).toEqual([{ caller: other.caller }]);
    const said: Parameters<Adapter['say']>[0][] = [];
    const refused = searching({
      async say(to) {
        said.push(to);
        return 'place' in to ? { state: 'gone' } : { state: 'drawn', card: answer };
      },
    });
    expect(await refused.findCard(answer, other)).toEqual(answer);
    expect(said).toMatchObject([{ place: other.place }, { caller: other.caller }]);
  });

  it('is tried again later, and not sent for a job that has ended', async () => {
    const later = searching({ say: async () => ({ state: 'later', afterMs: 1_000 }) });
    await expect(later.findCard(answer, other)).rejects.toThrow();
    const { findCard, sent } = searching({});
    expect(await findCard(answer, jobWith({ ...other, state: 'cancelled' }))).toBeUndefined();
    expect(sent).toEqual([]);
    expect(await findCard(answer, { ...other, origin: 'web:event' })).toMatchObject({ ref: 'the answer' });
  });
});
