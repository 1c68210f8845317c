// @module-tag slow
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { jobButtons } from '../../commands/buttons/job.ts';
import { commands } from '../../commands/index.ts';
import { JOB_STATES, type JobState } from '../../src/command/jobs-port.ts';
import type { Caller, Place } from '../../src/command/place.ts';
import type { Reply } from '../../src/command/reply.ts';
import { FOLLOW_UPS, givenFrom, hasFollowUp } from '../../src/command/request.ts';
import { jobKinds } from '../../src/kinds/kinds.ts';
import type { Platform } from '../../src/platforms/platforms.ts';
import { holds } from '../eventually.ts';
import { buttonsOf, textOf } from '../fakes/call.ts';
import { createTestCore, type TestCore } from '../fakes/core.ts';
import { requestOf } from '../fakes/requests.ts';

/**
 * Every list and every button that leads on from it × every public place × every job that is not for everybody there: nothing
 * that others see names such a job, whoever presses what and in which order.
 */

const platforms = ['telegram', 'discord', 'web'] as const;
/** Only Telegram has no way to show something in a group to one person alone. */
const inPlaceIsPublic = (platform: Platform): boolean => platform === 'telegram';

const person = (platform: Platform, id: string): Caller => ({ platform, id, name: `p${id}`, locale: 'en' });

const placeOf = (platform: Platform, id: string, direct: boolean): Place => {
  return { platform, community: `${platform}:${id}`, channel: id, direct };
};

const group = (platform: Platform, id: string): Place => placeOf(platform, id, false);
const directOf = ({ platform, id }: Caller): Place => placeOf(platform, `dm:${id}`, true);
/** A server to which somebody brought the bot by themselves: their own account, and everybody sees it. */
const foreign = (caller: Caller, id: string): Place => ({ ...directOf(caller), channel: id, direct: false });

/** A message as it stands in a chat: who may press its buttons, and from where. */
interface Shown {
  readonly place: Place;
  readonly isPublic: boolean;
  readonly actions: readonly string[];
}

const mod = (platform: Platform) => person(platform, '2');
let core: TestCore;

beforeAll(async () => {
  core = await createTestCore({ isModerator: async (caller) => caller.id === '2' });
});

afterAll(() => core.close());

let events = 0;
const incoming = (caller: Caller, place: Place) => ({ event: `event-${++events}`, caller, place });
const photo = (from: Platform) => ({ from, ref: '{}' }) as const;

/** A job with a prompt that can be told from all others. */
const jobIn = async (caller: Caller, place: Place, isPrivate: boolean, prompt: string, state: JobState) => {
  const given = { photo: photo(caller.platform), prompt, private: isPrivate };
  const reply = await core.desk.command({ ...incoming(caller, place), command: 'faceswap', given });
  if (reply.kind !== 'card') throw new Error(textOf(reply));
  await core.become(reply.job, state);
};

const createWalk = (owner: Caller, secrets: () => readonly string[]) => {
  const seen: string[] = [];

  /** The message that a reply left somewhere, if it has buttons. */
  const show = (reply: Reply, place: Place, pressed: Shown | undefined): Shown | undefined => {
    if (!('view' in reply)) return undefined;
    const audience = 'audience' in reply ? reply.audience : 'everyone';
    const alone =
      audience === 'caller' || (audience === 'caller-in-place' && !inPlaceIsPublic(place.platform));
    const isPublic = reply.kind === 'replace' ? (pressed?.isPublic ?? true) : !place.direct && !alone;
    if (isPublic) seen.push(textOf(reply));
    const sentToDirect = !isPublic && place.platform === 'telegram';
    const actions = buttonsOf(reply).map(({ action }) => action);
    return { place: sentToDirect ? directOf(owner) : place, isPublic, actions };
  };

  const press = async (message: Shown, action: string, caller: Caller): Promise<Shown | undefined> =>
    show(await core.desk.press({ ...incoming(caller, message.place), action }), message.place, message);

  return {
    async command(line: string, place: Place): Promise<Shown | undefined> {
      const reply = await core.desk.text({ ...incoming(owner, place), text: line, photos: [] });
      return reply && show(reply, place, undefined);
    },
    /** Presses everything that the owner, a moderator and somebody else can press from here on. */
    async everything(from: Shown | undefined, depth = 3): Promise<void> {
      const done = new Set<string>();
      const go = async (message: Shown | undefined, left: number): Promise<void> => {
        if (message === undefined || left === 0) return;
        for (const action of message.actions) {
          // The last question of "Delete all my data" would end the walk.
          if (action.startsWith('erase:') || done.has(`${action} ${message.isPublic}`)) continue;
          done.add(`${action} ${message.isPublic}`);
          const others = message.isPublic ? [mod(owner.platform), person(owner.platform, '3')] : [];
          for (const caller of [...others, owner]) await go(await press(message, action, caller), left - 1);
        }
      };
      await go(from, depth);
    },
    check() {
      const told = secrets().filter((secret) => seen.some((text) => text.includes(secret)));
      expect(told).toEqual([]);
    },
    seen,
  };
};

const lists = commands.flatMap(({ name, access, generates, subcommands }) => {
  if (generates) return [];
  const lines = subcommands === undefined ? [`/${name}`] : [`/${name} list`, `/${name} show`, `/${name} log`];
  return lines.map((line) => ({ line, moderator: access === 'moderator' }));
});

describe.each(platforms)('on %s', (platform) => {
  const places: readonly (readonly [string, (caller: Caller) => Place])[] = [
    ['a group', () => group(platform, '-100')],
    ...(platform === 'discord'
      ? [['a server that did not ask for us', (caller: Caller) => foreign(caller, '300')] as const]
      : []),
  ];

  describe.each(places)('in %s', (_where, hereFor) => {
    it.each(lists)('$line and all its buttons show no private job and none of another chat', async (list) => {
      // A moderator's own jobs, where the list is for moderators.
      const owner = list.moderator ? mod(platform) : person(platform, `1${events}`);
      const here = hereFor(owner);
      const secrets: string[] = [];
      const open: string[] = [];
      const hide = async (name: string, place: Place, isPrivate: boolean, state: JobState): Promise<void> => {
        const prompt = `secret ${name} ${state} ${events}`;
        secrets.push(prompt);
        await jobIn(owner, place, isPrivate, prompt, state);
      };

      for (const state of JOB_STATES) {
        const prompt = `open ${state} ${events}`;
        open.push(prompt);
        await jobIn(owner, here, false, prompt, state);
      }
      const walk = createWalk(owner, () => secrets);
      // The list stands there before there is anything to hide; then there is, on every page of it.
      const first = await walk.command(list.line, here);
      for (const state of JOB_STATES) {
        await hide('here', here, true, state);
        await hide('elsewhere', group(platform, '-200'), false, state);
        await hide('direct', directOf(owner), false, state);
        await hide('abroad', foreign(owner, '301'), false, state);
      }
      await walk.everything(first);
      await walk.everything(await walk.command(list.line, here));
      walk.check();
      if (list.line === '/jobs' && platform === 'telegram')
        expect(open.filter((prompt) => walk.seen.some((text) => text.includes(prompt)))).not.toEqual([]);
    });
  });
});

describe.each(jobKinds)('a private job of %s', (kind) => {
  it.each(
    (['telegram', 'discord'] as const).flatMap((platform) =>
      jobButtons.map(({ verb }) => [verb, platform] as const),
    ),
  )(`%s on %s makes and shows nothing of a private job (${kind}) that others see`, async (verb, platform) => {
    const owner = person(platform, `5${events}`);
    const here = group(platform, '-100');
    const { command, given } = givenFrom(requestOf(kind));

    const made = await core.desk.command({
      ...incoming(owner, here),
      command,
      given: { ...given, private: true },
    });
    if (made.kind !== 'card') throw new Error(textOf(made));

    expect(made.audience, `/${command} with private=yes`).toBe('caller');

    await core.become(made.job, 'done');

    const replies: Reply[] = [];
    let reply = await core.desk.press({ ...incoming(owner, here), action: `${verb}:${made.job}` });
    while (reply.kind === 'ask') {
      replies.push(reply);
      const [{ option, kind: asked, choices }] = reply.questions;
      const answer =
        choices?.[0]?.value ?? { reference: '3', image: photo(platform), text: 'rain', choice: '' }[asked];
      reply = await core.desk.answer({
        ...incoming(owner, here),
        draft: reply.draft,
        answers: { [option]: answer },
      });
    }
    replies.push(reply);

    const makesAnother = ['again', 'retry'].includes(verb) || FOLLOW_UPS.some((each) => each === verb);
    if (makesAnother && hasFollowUp(kind, verb)) expect(reply.kind, textOf(reply)).toBe('card');
    for (const each of replies) if ('audience' in each) expect(each.audience, textOf(each)).toBe('caller');
  });
});

it('a person sees all of their jobs where only they see it', async () => {
  const ann = person('telegram', '77');
  const here = group('telegram', '-100');

  await jobIn(ann, here, true, 'mine in private', 'done');
  await jobIn(ann, here, false, 'mine in the open', 'done');
  for (const place of [here, directOf(ann)]) {
    const reply = await core.desk.text({ ...incoming(ann, place), text: '/jobs', photos: [] });
    for (const prompt of ['mine in private', 'mine in the open']) expect(textOf(reply)).toContain(prompt);
    expect(reply).toMatchObject({ audience: 'caller' });
  }
});

it('the filter of a private job comes first in suggestions, which only their person sees', async () => {
  const ann = person('discord', '88');
  const here = group('discord', '-100');
  const given = { photo: photo('discord'), filter: '21', gender: 'female', private: true };

  await core.desk.command({ ...incoming(ann, here), command: 'faceswap', given });
  const typing = { caller: ann, place: here, command: 'faceswap', option: 'filter', typed: '' };

  await holds(async () => expect((await core.desk.complete(typing, 25))[0]?.value).toBe('21'));
});

it('the audit trail has the kind of a private job, not its filter', async () => {
  const place = group('telegram', '-300');
  const given = { photo: photo('telegram'), filter: '12', gender: 'male' };

  for (const isPrivate of [false, true])
    await core.says(mod('telegram'), place.community, 'faceswap', { ...given, private: isPrivate });
  const asked = { ...incoming(mod('telegram'), place), text: '/settings log', photos: [] };
  const lines = textOf(await core.desk.text(asked)).split('\n');

  expect(lines.filter((line) => line.includes('kind=face-swap-v6'))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('filter='))).toHaveLength(1);
});
