import { beforeEach, describe, expect, it } from 'vitest';
import type { Adapter } from '../../../../src/adapters/adapter.ts';
import { createJobsPort, type JobsPortDependencies } from '../../../../src/app/jobs/jobs-port.ts';
import { createPlatformRegistry } from '../../../../src/app/platforms/registry.ts';
import { DownloadMissing } from '../../../../src/base/network/download.ts';
import type { Incoming } from '../../../../src/command/desk.ts';
import type { JobHandle } from '../../../../src/command/jobs-port.ts';
import type { CardRef } from '../../../../src/command/place.ts';
import type { DrawOutcome, Reply } from '../../../../src/command/reply.ts';
import type { Media, View } from '../../../../src/command/view.ts';
import {
  type CommunityRules,
  createCommunityGate,
  createCommunityRules,
} from '../../../../src/community/rules/community-rules.ts';
import type { Job } from '../../../../src/orchestrator/job/job.ts';
import type { JobOrder } from '../../../../src/orchestrator/job/records.ts';
import { wordsFor } from '../../../../src/words/words.ts';
import { eventually } from '../../../eventually.ts';
import { idleAdapter, unused } from '../../../fakes/adapter.ts';
import { buttonsOf, textOf, viewText } from '../../../fakes/call.ts';
import { failing, MINUTE, never, openWorld, orderOf, png, world } from '../../../fakes/orchestrator-world.ts';
import { createRecords } from '../../../fakes/records.ts';

const { share: words, press, gate: gateWords } = wordsFor('en');
const { caller, place } = orderOf('ann');
const direct = { ...place, community: 'web:dm:ann', channel: 'ann', direct: true };

let rules: CommunityRules;
let sent: View[];
let removed: string[];
let lines: string[];
let say: () => DrawOutcome | Promise<DrawOutcome>;
let parts: Pick<JobsPortDependencies, 'client' | 'contentCheck' | 'fitResult' | 'reported'> &
  Partial<Pick<JobsPortDependencies, 'orchestrator'>>;
let adapter: Adapter;

const picture: Media = {
  kind: 'image',
  bytes: new Uint8Array(1),
  type: 'image/png',
  name: 'a.png',
  as: 'inline',
  alt: '',
  width: 1,
  height: 1,
};

const roomFor = (bytes: number) => ({ imageBytes: bytes, fileBytes: bytes, videoBytes: bytes });

beforeEach(async () => {
  await openWorld();
  rules = createCommunityRules(createRecords(), world.clock.now);
  sent = [];
  removed = [];
  lines = [];
  say = () => ({ state: 'drawn', card: { platform: 'web', ref: `shared-${sent.length}` } });
  const client = { status: async () => ({ state: 'completed', output: png }) as const };
  parts = { client, contentCheck: undefined, fitResult: async () => picture, reported: async () => true };
  adapter = {
    ...idleAdapter,
    limits: () => roomFor(20),
    // This platform tells messages apart by their whole reference.
    isSame: (a, b) => a.ref === b.ref,
    async say(_to, view) {
      sent.push(view);
      return say();
    },
    async removeMessage({ ref }) {
      removed.push(ref);
      return 'gone';
    },
    isMember: async () => true,
  };
});

const port = (from: Partial<Incoming> = {}) =>
  createJobsPort({
    orchestrator: world.orchestrator,
    platforms: createPlatformRegistry([adapter]),
    audit: { note: async (_who, { community }, action) => void lines.push(`${community} ${action}`) },
    clock: world.clock,
    decoder: { convert: unused, compose: unused, isClosed: false, pids: () => [], close: () => undefined },
    hasMark: false,
    gate: createCommunityGate(rules),
    rules,
    faces: undefined,
    usePhoto: unused,
    downloads: { get: unused, mayLink: () => true },
    sentFiles: createRecords(),
    takeBack: { ofJob: async (id) => void lines.push(`take back ${id}`) },
    ...parts,
  })({ event: 'event', caller, place, ...from }, wordsFor('en'));

const found = async (id: string, from: Partial<Incoming> = {}): Promise<JobHandle> =>
  (await port(from).find(id)) ?? expect.fail(`no job ${id}`);

const ended = async (more: Partial<JobOrder> = {}): Promise<Job> => {
  const job = await world.submit('ann', more);
  await world.pass(MINUTE);
  return job;
};

it('Show shows a job of another community in private', async () => {
  const { id } = await world.submit('ann');
  expect(await (await found(id)).show()).toMatchObject({ audience: 'everyone' });

  const elsewhere = { place: { ...place, community: 'web:elsewhere' } };
  expect(await (await found(id, elsewhere)).show()).toMatchObject({ audience: 'caller' });
});

describe('a picture that the service gives once more', () => {
  const looks = (isIntimate: () => Promise<boolean>): void => {
    parts = { ...parts, contentCheck: { isIntimate } };
  };
  const shownBy = async (job: Job): Promise<boolean> => {
    const replies = [await (await found(job.id)).show(), await (await found(job.id)).file()];
    return replies.some((reply) => 'view' in reply && reply.view.media !== undefined);
  };

  it('a picture that the service gives once more is looked at again, and not shown where it is over the threshold', async () => {
    const job = await ended({ private: true });
    looks(async () => true);

    expect(await shownBy(job)).toBe(false);
    expect(textOf(await (await found(job.id)).share())).toBe(press.noResult);
    expect(textOf(await (await found(job.id)).compare())).toBe(press.noResult);
    expect(sent).toEqual([]);
  });

  it('a picture that the service gives once more is not shown while it cannot be looked at', async () => {
    const job = await ended({ private: true });
    looks(async () => {
      throw new Error('the model cannot run');
    });

    expect(await shownBy(job)).toBe(false);
    expect(textOf(await (await found(job.id)).share())).toBe(words.later);
  });

  it('a picture that the service gives once more is shown where it is harmless', async () => {
    const job = await ended();
    looks(async () => false);

    expect(await shownBy(job)).toBe(true);
  });

  it('a picture that the service gives once more is not looked at again where a moderator has shown it', async () => {
    const job = await ended();
    looks(async () => true);
    const get = async (id: string) => {
      const known = await world.orchestrator.get(id);
      return known?.state === 'done' ? { ...known, cleared: known.finishedAt } : known;
    };
    parts = { ...parts, orchestrator: { ...world.orchestrator, get } };

    expect(await shownBy(job)).toBe(true);
  });

  it('a picture that the service gives in place of the one that a moderator has shown is looked at again', async () => {
    const job = await ended();
    looks(async () => true);
    const get = async (id: string) => {
      const known = await world.orchestrator.get(id);
      return known?.state === 'done'
        ? { ...known, cleared: known.finishedAt, heldPicture: 'the hash of another picture' }
        : known;
    };
    parts = { ...parts, orchestrator: { ...world.orchestrator, get } };

    expect(await shownBy(job)).toBe(false);
  });
});

it('only results can be reported', async () => {
  const reported: string[] = [];
  parts = { ...parts, reported: async ({ id }) => reported.push(id) > 0 };
  const made = await world.submit('ann');
  const cancelled = await world.submit('ann');
  await (await found(cancelled.id)).cancel();
  await world.pass(MINUTE);

  await (await found(made.id)).report();
  await (await found(cancelled.id)).report();

  expect(reported).toEqual([made.id]);
});

it('a person who reports a result learns when nobody was told', async () => {
  parts = { ...parts, reported: async () => false };
  const { id } = await ended();

  expect(textOf(await (await found(id)).report())).toContain('nobody could be notified');
});

it('no job is found by an id that there is not', async () => {
  expect(await port().find('nothing')).toBeUndefined();
});

it('a result is fitted to the chat where it is requested', async () => {
  const { id } = await ended();
  const answer: CardRef = { platform: 'web', ref: 'the answer' };
  const sized: (CardRef | undefined)[] = [];
  const fitResult: JobsPortDependencies['fitResult'] = async (job) => {
    sized.push(job.card);
    return 'unusable';
  };

  parts = { ...parts, fitResult };
  await (await found(id, { answer })).show();
  await (await found(id)).show();

  expect(sized).toEqual([answer, (await world.jobOf({ id }))?.card]);
});

it('one result at a time is fetched per person', async () => {
  const { id } = await ended();
  let atOnce = 0;
  let most = 0;
  const status = async (): Promise<never> => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((done) => setImmediate(done));
    atOnce -= 1;
    throw new Error('the service is slow and then fails');
  };

  parts = { ...parts, client: { status } };
  const jobs = port();
  const shown = await Promise.all(Array.from({ length: 50 }, async () => (await jobs.find(id))?.show()));

  expect(shown.map((reply) => reply?.kind)).toEqual(Array(50).fill('result'));
  expect(most).toBe(1);
});

describe('Cancel', () => {
  const cancelAt = async (id: string, ref?: string) =>
    (await found(id, ref === undefined ? {} : { pressed: { platform: 'web', ref } })).cancel();

  it('Cancel on an earlier copy of the card cancels the job and removes the copy', async () => {
    const { id } = await world.submit('ann');
    expect(await cancelAt(id, 'sent before it')).toEqual({
      kind: 'remove',
      note: 'Cancelled.',
      evenIfOld: true,
    });
    expect(await world.stateOf({ id })).toBe('cancelled');

    const note = 'This job has already ended.';
    expect(await cancelAt(id, 'sent before it')).toEqual({ kind: 'remove', note, evenIfOld: true });
    for (const ref of [`card-${id}`, undefined]) expect((await cancelAt(id, ref)).kind).toBe('note');
  });

  it('Cancel on a card that was not yet confirmed makes it the card, which shows the cancellation', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    const reply = cancelAt(job.id, 'unheard of');
    await world.pass(1_000);

    expect(await reply).toEqual({ kind: 'note', text: 'Cancelled.' });
    expect(await world.jobOf(job)).toMatchObject({ state: 'cancelled', card: { ref: 'unheard of' } });

    await world.pass(1_000);
    expect(world.endsShown(job)).toHaveLength(1);
  });

  it('Cancel before the card is confirmed waits for the confirmation, and the card stays', async () => {
    const { job } = await world.orchestrator.accept(orderOf('ann'));
    const reply = cancelAt(job.id, 'its card');
    await world.orchestrator.cardShown(job.id, { platform: 'web', ref: 'its card' });
    await world.pass(200);

    expect(await reply).toEqual({ kind: 'note', text: 'Cancelled.' });
  });
});

const share = async (id: string, where = direct): Promise<Reply> =>
  (await found(id, { place: where })).share();

const hidden = (more: Partial<JobOrder> = {}): Promise<Job> => ended({ private: true, ...more });
const sharing = async (id: string) => (await world.jobOf({ id }))?.shared;

describe('Share', () => {
  it('Share shows a private result once, with Delete and Report, and takes its own button away', async () => {
    const { id } = await hidden();
    const reply = await share(id);
    expect(reply.kind).toBe('replace');
    expect(textOf(reply)).toContain(words.done);
    expect(buttonsOf(reply).map(({ action }) => action)).not.toContain(`share:${id}`);

    const [shown] = sent;
    expect(shown?.media).toBe(picture);
    expect(viewText(shown ?? { tone: 'info', lines: [] })).toContain('Shared by Name of ann\nAI-generated');
    expect(shown?.buttons?.flat().map(({ action }) => action)).toEqual([`unshare:${id}`, `report:${id}`]);
    expect(await sharing(id)).toMatchObject({ card: { ref: 'shared-1' } });
    expect(textOf(await share(id))).toBe(words.already);
    expect(sent).toHaveLength(1);
    expect(lines).toEqual(['web:room job.share']);
  });

  it('Share that is pressed while the visible result is still being stored waits for that', async () => {
    const stored = Promise.withResolvers<void>();
    world.script.draw = async (_job, _importance, output) => {
      if (output !== undefined) await stored.promise;
      return { state: 'drawn' };
    };
    const { id } = await hidden();
    expect(await world.jobOf({ id })).toMatchObject({ state: 'delivering' });

    const reply = share(id);
    await world.pass(10_000);
    stored.resolve();
    await world.pass(5_000);

    expect((await reply).kind).toBe('replace');
    expect(sent).toHaveLength(1);
  });

  it('Share shows a result in the language of the community, for everybody', async () => {
    await rules.set('web:room', 'language', 'de');
    const { id } = await hidden();
    expect(textOf(await share(id))).toContain(words.done);
    expect(sent.map(viewText)).toEqual([expect.stringContaining('Geteilt von Name of ann')]);
  });

  it('Share shows a result in the topic where it was asked for', async () => {
    const places: unknown[] = [];
    const { say: send } = adapter;

    adapter.say = (to, view) => {
      places.push(to);
      return send(to, view);
    };
    const { id } = await ended({ private: true, place: { ...place, thread: '5' } });
    await (await found(id)).share();

    expect(places).toMatchObject([{ place: { channel: place.channel, thread: '5' } }]);
  });

  it('Share sends a result again, smaller, where the platform takes less than it said', async () => {
    const { id } = await hidden();
    const room = [20, 10, 8];
    adapter.limits = () => roomFor(room[0] ?? 0);
    parts = { ...parts, fitResult: async () => ({ ...picture, bytes: new Uint8Array(room[0] ?? 0) }) };
    say = () => {
      if (room[0] === 8) return { state: 'drawn', card: { platform: 'web', ref: 'shared' } };
      room.shift();
      return { state: 'later', afterMs: 0, unsent: true };
    };

    expect((await share(id)).kind).toBe('replace');

    const sizes = sent.map(({ media }) => (media !== undefined && 'bytes' in media ? media.bytes.length : 0));
    expect(sizes).toEqual([20, 10, 8]);
  });

  it('Share that is pressed many times at once shows a result once', async () => {
    const { id } = await hidden();
    const replies = await Promise.all(Array.from({ length: 20 }, () => share(id)));
    expect(sent).toHaveLength(1);
    expect(replies.filter(({ kind }) => kind === 'replace')).toHaveLength(1);
  });

  it('Share is stored before anything is sent, and not sent again after a crash in between', async () => {
    const { id } = await hidden();
    say = never;
    void share(id);
    await eventually(() => sent.length === 1, 'the message');

    expect(await sharing(id)).toEqual({ at: world.clock.now() });

    await world.restart();
    expect(textOf(await share(id))).toBe(words.unknown);
    expect(sent).toHaveLength(1);

    // The card can be the same message, where the platform makes it that.
    adapter = { ...adapter, sharesOnce: true };
    say = () => ({ state: 'drawn', card: { platform: 'web', ref: 'the same' } });
    expect((await share(id)).kind).toBe('replace');
    expect(await sharing(id)).toMatchObject({ card: { ref: 'the same' } });
  });

  it('Share is not begun while nothing can be stored', async () => {
    const { id } = await hidden();
    world.script.onStore = (call) => {
      if (call === 'save') throw new Error('the disk is full');
    };
    await expect(share(id)).rejects.toThrow('the disk is full');
    expect(sent).toEqual([]);

    world.script.onStore = undefined;
    expect((await share(id)).kind).toBe('replace');
  });

  it.each<{ outcome: DrawOutcome; text: string }>([
    { outcome: { state: 'gone' }, text: words.forbidden },
    { outcome: { state: 'later', afterMs: 0, unsent: true }, text: words.later },
  ])(
    'Share that was not sent says why and can be pressed again (the platform answers "$outcome.state")',
    async ({ outcome, text }) => {
      const { id } = await hidden();
      const before = say;
      say = () => outcome;

      expect(textOf(await share(id))).toBe(text);
      expect(await sharing(id)).toBeUndefined();
      expect(lines).toEqual(['web:room job.share', 'web:room job.share.failed']);

      say = before;
      expect((await share(id)).kind).toBe('replace');
    },
  );

  it('Share that may have been sent is not sent again', async () => {
    const { id } = await hidden();
    say = () => ({ state: 'later', afterMs: 0 });
    for (let times = 0; times < 2; times += 1) expect(textOf(await share(id))).toBe(words.unknown);
    expect(sent).toHaveLength(1);
  });

  it('Share obeys the community as a new job there would', async () => {
    const prompted = { kind: 'self-prompt', photo: { from: 'web', ref: 'p' }, prompt: 'a demon' } as const;

    const { id } = await hidden({ request: prompted });
    const refused = async (): Promise<string> => {
      const text = textOf(await share(id));
      expect(sent).toEqual([]);
      return text;
    };

    await rules.block('web:room', 'ann', '');

    expect(await refused()).toBe(gateWords.blocked);

    await rules.unblock('web:room', 'ann');
    await rules.pause('web:room', 'tidying');
    expect(await refused()).toContain('tidying');

    await rules.resume('web:room');
    await rules.setChannels('web:room', 'here', { ...place, channel: 'another' });
    expect(await refused()).toBe(gateWords.notHere);

    await rules.setChannels('web:room', 'everywhere', place);
    await rules.banWord('web:room', 'demon');
    expect(await refused()).toBe(gateWords.bannedWord);

    await rules.allowWord('web:room', 'demon');
    adapter = { ...adapter, isMember: async () => false };
    expect(await refused()).toBe(words.notMember);
    // Whoever presses there is there.
    expect((await share(id, place)).kind).toBe('replace');
  });

  it.each<{ what: string; broken: Partial<typeof parts>; text: string }>([
    {
      what: 'the link of the result is dead',
      broken: { fitResult: () => Promise.reject(new DownloadMissing()) },
      text: press.noResult,
    },
    {
      what: 'the host of the result is out of order',
      broken: { fitResult: () => Promise.reject(new Error('answered with HTTP 503')) },
      text: words.later,
    },
    {
      what: 'the service no longer has the result',
      broken: { client: { status: async () => failing('not-found', false)() } },
      text: press.noResult,
    },
    {
      what: 'the service cannot be reached',
      broken: { client: { status: async () => failing('unreachable', false)() } },
      text: words.later,
    },
  ])('Share sends nothing and says why where $what', async ({ broken, text }) => {
    const { id } = await hidden();
    parts = { ...parts, ...broken };

    expect(textOf(await share(id))).toBe(text);
    expect(sent).toEqual([]);
  });

  it('Share finds nothing to share in a result that everybody sees, or that is in a direct chat already', async () => {
    const open = await ended();
    const alone = await hidden({ place: direct });

    expect(textOf(await share(open.id))).toBe(press.noResult);
    expect(textOf(await share(alone.id))).toBe(press.noResult);
    expect(sent).toEqual([]);
  });
});

describe('a shared result', () => {
  it('a shared result is deleted with the private one', async () => {
    const { id } = await hidden();
    await share(id);
    await (await found(id)).remove();

    expect(removed).toEqual([`card-${id}`, 'shared-1']);
  });

  it('a shared result is deleted with the private one, also if the process dies meanwhile', async () => {
    const { id } = await hidden();
    await share(id);
    await world.orchestrator.withdraw(id);
    await world.restart();
    await world.pass(10 * MINUTE);

    expect(world.discarded).toEqual([`card-${id}`, 'shared-1']);
    expect(await world.jobOf({ id })).toBeUndefined();
  });

  it('a shared result is deleted at once if the private one was deleted while it was sent', async () => {
    const { id } = await hidden();
    const there = Promise.withResolvers<DrawOutcome>();
    say = () => there.promise;
    const reply = share(id);
    await eventually(() => sent.length === 1, 'the message');
    await (await found(id)).remove();
    there.resolve({ state: 'drawn', card: { platform: 'web', ref: 'late' } });

    expect(textOf(await reply)).toBe(press.notFound);
    expect(removed).toEqual([`card-${id}`, 'late']);
  });

  it('a shared result can be deleted alone, and is not shared again', async () => {
    const { id } = await hidden();
    await share(id);
    expect(await (await found(id)).unshare()).toMatchObject({ kind: 'remove' });
    expect(removed).toEqual(['shared-1']);
    expect(lines.at(-1)).toBe('web:room job.unshare');
    expect(await world.stateOf({ id })).toBe('done');
    expect(textOf(await share(id))).toBe(words.already);
    expect(sent).toHaveLength(1);
  });
});
