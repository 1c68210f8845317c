// @module-tag slow
import { afterEach, describe, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { swap } from '../stage/lines.ts';
import { stage, useStage } from '../stage/stage.ts';

useStage({ env: { PLAYGROUND: 'off' } });

/** Ways in which the platforms refuse uploads. */
const platforms = {
  telegram: {
    /** Telegram is asked so often to show a form: as a photo and as a file. */
    perForm: 2,
    refuse: (times: number) =>
      stage.telegram.fault({
        method: 'editMessageMedia',
        kind: 400,
        description: 'Bad Request: IMAGE_PROCESS_FAILED',
        times,
      }),
    allow: () => stage.telegram.clearFaults(),
    uploads: () => stage.telegram.calls.filter(({ method }) => method === 'editMessageMedia').length,
  },
  discord: {
    /** Discord is asked so often to show a form. */
    perForm: 1,
    refuse: (times: number) =>
      stage.discord.fault({
        path: /messages/,
        uploads: true,
        kind: 'status',
        status: 400,
        body: { code: 50035, message: 'Invalid Form Body' },
        times,
      }),
    allow: () => stage.discord.clearFaults(),
    uploads: () => stage.discord.received.filter(({ files }) => files > 0).length,
  },
} as const;

/** Warnings in the log that a platform refuses to show an end. */
const lines = (): number =>
  stage.program().output().split('a platform refuses to show how a job ended').length - 1;

/** Refused ends of the platform in the program's metrics. */
const counted = async (platform: string): Promise<number> => {
  const text = await (await fetch(`${stage.program().url}/metrics`)).text();
  const [, count] = new RegExp(`^darkroom_ends_refused_total.*"${platform}".* (\\d+)$`, 'm').exec(text) ?? [];
  return Number(count ?? 0);
};

describe.each(['telegram', 'discord'] as const)('a result that %s refuses', (name) => {
  const { perForm, refuse, allow, uploads } = platforms[name];
  // A test that fails leaves nothing refused for the next one, or for its own second try.
  afterEach(allow);

  it('a result that is refused in one form is shown in another', async () => {
    const ann = stage.platforms[name].room().person('Ann');
    const uploadsBefore = uploads();
    const linesBefore = lines();
    const countedBefore = await counted(name);

    refuse(perForm);
    const shown = await ann.types(swap).result();

    expect(shown.text).toContain('AI-generated');
    expect(Buffer.from(shown.media?.bytes ?? []).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    expect(uploads() - uploadsBefore).toBe(perForm + 1);

    await eventually(() => lines() - linesBefore === 1, 'one line in the log');
    expect((await counted(name)) - countedBefore).toBe(1);
  });

  it('a result that is refused in every form and place ends the job, and its card says so', async () => {
    const ann = stage.platforms[name].room().person('Ann');
    // Opens the private chat, where the platform demands that.
    await ann.at('direct').types({ command: 'help' }).says('/faceswap');
    const uploadsBefore = uploads();
    const linesBefore = lines();

    refuse(1_000);
    const outcome = ann.types(swap);
    const card = await outcome.says('refuses to show the result');

    expect(card.text).toContain('refunded');
    expect(card.buttons).toEqual(['Retry']);

    await eventually(
      () =>
        ann
          .at('direct')
          .sees()
          .some(({ text }) => text.includes('refuses to show')),
      'the second card',
    );
    expect(uploads() - uploadsBefore).toBe(3 * perForm);

    await eventually(() => lines() - linesBefore === 3, 'three lines in the log');

    allow();
    await ann.types({ command: 'usage' }).says('You used 0 of');
  });
});
