import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CardRef } from '../../../../src/command/place.ts';
import type { Reply } from '../../../../src/command/reply.ts';
import { holds as until } from '../../../eventually.ts';
import {
  card,
  passing,
  picture,
  room,
  show,
  showCard,
  stage,
  useStage,
  view,
} from '../../../fakes/discord/stage.ts';

const MINUTE = 60_000;

useStage();
afterEach(() => thought.resolve({ kind: 'note', text: '' }));

const cancel = view('Place in line: 2', { buttons: [[{ action: 'cancel:job-1', label: 'Cancel' }]] });
const promised = (): CardRef => stage.desk.heard.at(-1)?.answer ?? { platform: 'discord', ref: '' };
const find = (job = 'job-1') => stage.adapter.find?.(promised(), job);
const where = (card: CardRef | undefined): unknown => JSON.parse(card?.ref ?? 'null');

/** The desk thinks until the test is over. */
let thought: PromiseWithResolvers<Reply>;

beforeEach(() => {
  thought = Promise.withResolvers<Reply>();
});

describe('a card of which only the interaction is known', () => {
  test('a lost card is not found in a message whose text names the job', async () => {
    stage.desk.replies({
      kind: 'message',
      audience: 'everyone',
      view: view('a:cancel:job-1 job-1', { title: 'job-1' }),
    });
    await stage.fake.user('ann').types('/faceswap').answered();

    await until(() => expect(room()[0]?.content).toContain('job-1'));
    expect(await find()).toBeUndefined();
  });

  test('a lost card is found in the message that it replaced', async () => {
    const buttons = [[{ action: 'pick:1', label: 'Pop Art' }]];

    const question = await show({ kind: 'message', audience: 'everyone', view: view('Which?', { buttons }) });
    stage.desk.replies(card('', { view: cancel, replaces: true }));
    stage.fake.user('ann').presses(question, 'Pop Art');
    const shown = await stage.cardShown();

    expect(where(await find())).toEqual(where(shown));
  });

  test('a lost card is found in the deferred message', async () => {
    stage.desk.replies(thought.promise);
    const sent = stage.fake.user('ann').types('/faceswap');

    await until(() => expect(stage.desk.heard).toHaveLength(1));
    await stage.clock.advance(150);

    expect((await sent.answered()).type).toBe(5);

    const found = (await find()) ?? expect.fail('it was not found');
    expect((await stage.adapter.draw(found, picture(new Uint8Array([1])), 'final')).state).toBe('drawn');
    expect(sent.message()?.attachments).toHaveLength(1);
  });

  test('a lost card does not exist, or can no longer be searched for', async () => {
    stage.desk.replies(thought.promise);
    stage.fake.user('ann').types('/faceswap');

    await until(() => expect(stage.desk.heard).toHaveLength(1));
    expect(await find()).toBeUndefined();

    await showCard();
    await stage.clock.advance(15 * MINUTE);
    expect(await find()).toBeUndefined();
  });

  test('a lost card is unknown while Discord cannot be reached', async () => {
    await showCard();
    stage.fake.fault({ method: 'GET', path: /webhooks/, kind: 'status', status: 502 });
    let said = '';
    find()?.catch((error: Error) => {
      said = error.message;
    });
    await passing(stage.clock, 200, () =>
      expect(said).toContain('GET /webhooks/:id/:token/messages/@original'),
    );
  });
});
