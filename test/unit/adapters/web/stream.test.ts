import { describe, expect, it, vi } from 'vitest';
import type { View } from '../../../../src/command/view.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb } from './open-web.ts';

const line = (text: string): View => ({ tone: 'info', lines: [text] });
const soon = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const studio = { platform: 'web', community: 'web:studio', channel: 'studio', direct: false } as const;

describe('the stream of events', () => {
  it('begins with everything, then tells what happens, in place', async () => {
    const { url, adapter } = await openWeb();
    await adapter.say({ place: studio }, line('before'));
    const stream = await (await openBrowser(url)).listen();
    await soon(() => expect(stream.seen('studio')).toHaveLength(1));
    const said = await adapter.say({ place: studio }, line('working'));
    if (said.state !== 'drawn' || said.card === undefined) throw new Error('not drawn');
    await adapter.draw(said.card, line('half'), 'cosmetic');
    await adapter.draw(said.card, line('all'), 'final');
    await soon(() => expect(stream.seen('studio').at(-1)?.view?.lines).toEqual([['all']]));
    expect(stream.seen('studio')).toHaveLength(2);
    await adapter.erase(said.card);
    await soon(() => expect(stream.seen('studio')).toHaveLength(1));
    stream.close();
  });

  it('goes on after a drop where it broke off', async () => {
    const { url, adapter } = await openWeb();
    const ann = await openBrowser(url);
    const first = await ann.listen();
    await adapter.say({ place: studio }, line('seen'));
    await soon(() => expect(first.seen('studio')).toHaveLength(1));
    first.close();
    await adapter.say({ place: studio }, line('missed 1'));
    await adapter.say({ place: studio }, line('missed 2'));
    const second = await ann.listen(first.events.at(-1)?.id);
    await soon(() => expect(second.seen('studio')).toHaveLength(2));
    expect(second.events.map(({ event }) => event)).toEqual(['message', 'message']);
    second.close();
  });

  it.each(['nonsense', 'f00.1', '', '0.99999999999999999999'])(
    'tells everything after the unknown id "%s"',
    async (last) => {
      const { url, adapter } = await openWeb();
      await adapter.say({ place: studio }, line('kept'));
      const stream = await (await openBrowser(url)).listen(last);
      await soon(() => expect(stream.seen('studio')).toHaveLength(1));
      expect(stream.events[0]?.event).toBe('state');
      stream.close();
    },
  );

  it('tells everything when more was missed than is remembered', { timeout: 60_000 }, async () => {
    const { url, adapter } = await openWeb();
    const ann = await openBrowser(url);
    const first = await ann.listen();
    const said = await adapter.say({ place: studio }, line('0'));
    await soon(() => expect(first.seen('studio')).toHaveLength(1));
    first.close();
    if (said.state !== 'drawn' || said.card === undefined) throw new Error('not drawn');
    for (let count = 1; count <= 1001; count += 1)
      await adapter.draw(said.card, line(String(count)), 'cosmetic');
    const second = await ann.listen(first.events.at(-1)?.id);
    await soon(() => expect(second.seen('studio')[0]?.view?.lines).toEqual([['1001']]));
    expect(second.events.map(({ event }) => event)).toEqual(['state']);
    second.close();
  });

  it('tells nobody of what is not for them', async () => {
    const { url, adapter } = await openWeb();
    const [ann, bob, kim] = await Promise.all(['ann', 'bob', 'kim'].map((id) => openBrowser(url, id)));
    const streams = await Promise.all([ann, bob, kim].map((each) => each?.listen()));
    const caller = { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' } as const;
    await adapter.say({ caller }, line('for Ann'));
    await adapter.say({ place: studio }, line('for the studio'));
    await soon(() => expect(streams[1]?.seen('studio')).toHaveLength(1));
    await soon(() => expect(streams[0]?.seen('dm-ann')).toHaveLength(1));
    expect(streams[1]?.events.filter(({ event }) => event !== 'state')).toHaveLength(1);
    expect(streams[2]?.events.filter(({ event }) => event !== 'state')).toHaveLength(0);
    for (const stream of streams) stream?.close();
  });

  it('begins anew when somebody else sits down, however long it was silent', async () => {
    const clock = createFakeClock();
    const { url } = await openWeb({ clock });
    const ann = await openBrowser(url);
    const stream = await ann.listen();
    await soon(() => expect(stream.events).toHaveLength(1));
    await clock.advance(65_000);
    await ann.post('/api/session', { person: 'max' });
    await stream.ended;
    expect(stream.events.at(-1)?.event).toBe('session');
  });

  it('ends with the adapter', async () => {
    const { url, stop } = await openWeb();
    const stream = await (await openBrowser(url)).listen();
    await stop();
    await stream.ended;
  });
});
