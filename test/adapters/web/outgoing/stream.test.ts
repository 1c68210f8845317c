import { describe, expect, it } from 'vitest';
import { line } from '../../../contract/adapter/views.ts';
import { holds } from '../../../eventually.ts';
import { createFakeClock } from '../../../fakes/clock.ts';
import { openBrowser } from '../../../fakes/web/browser.ts';
import { openWeb, PASSWORD, signInTo, studio } from '../../../fakes/web/open-web.ts';

describe('the stream of events', () => {
  it('the stream of events starts with everything, then sends changes', async () => {
    const { url, adapter } = await openWeb();

    await adapter.say({ place: studio }, line('before'));
    const stream = await (await openBrowser(url)).listen();

    await holds(() => expect(stream.seen('studio')).toHaveLength(1));

    const said = await adapter.say({ place: studio }, line('working'));
    if (said.state !== 'drawn' || said.card === undefined) throw new Error('not drawn');
    await adapter.draw(said.card, line('half'), 'cosmetic');
    await adapter.draw(said.card, line('all'), 'final');

    await holds(() => expect(stream.seen('studio').at(-1)?.view?.lines).toEqual([['all']]));
    expect(stream.seen('studio')).toHaveLength(2);

    await adapter.removeMessage(said.card);
    await holds(() => expect(stream.seen('studio')).toHaveLength(1));

    stream.close();
  });

  it('the stream of events continues after a disconnect', async () => {
    const { url, adapter } = await openWeb();
    const ann = await openBrowser(url);

    const first = await ann.listen();
    await adapter.say({ place: studio }, line('seen'));

    await holds(() => expect(first.seen('studio')).toHaveLength(1));

    first.close();
    await adapter.say({ place: studio }, line('missed 1'));
    await adapter.say({ place: studio }, line('missed 2'));
    const second = await ann.listen(first.events.at(-1)?.id);

    await holds(() => expect(second.seen('studio')).toHaveLength(2));
    expect(second.events.map(({ event }) => event)).toEqual(['message', 'message']);

    second.close();
  });

  it.each(['f00.1', '0.99999999999999999999'])(
    'the stream of events sends everything after the unknown id "%s"',
    async (last) => {
      const { url, adapter } = await openWeb();

      await adapter.say({ place: studio }, line('kept'));
      const stream = await (await openBrowser(url)).listen(last);

      await holds(() => expect(stream.seen('studio')).toHaveLength(1));
      expect(stream.events[0]?.event).toBe('state');

      stream.close();
    },
  );

  it('the stream of events sends everything when more was missed than is kept', async () => {
    const { url, adapter } = await openWeb();
    const ann = await openBrowser(url);

    const first = await ann.listen();
    const said = await adapter.say({ place: studio }, line('0'));

    await holds(() => expect(first.seen('studio')).toHaveLength(1));

    first.close();
    if (said.state !== 'drawn' || said.card === undefined) throw new Error('not drawn');
    for (let count = 1; count <= 1001; count += 1)
      await adapter.draw(said.card, line(String(count)), 'cosmetic');
    const second = await ann.listen(first.events.at(-1)?.id);

    await holds(() => expect(second.seen('studio')[0]?.view?.lines).toEqual([['1001']]));
    expect(second.events.map(({ event }) => event)).toEqual(['state']);

    second.close();
  });

  it('the stream of events sends private messages only to their person', async () => {
    const { url, adapter } = await openWeb();

    const ofAnn = await (await openBrowser(url, 'ann')).listen();
    const ofBob = await (await openBrowser(url, 'bob')).listen();
    const ofKim = await (await openBrowser(url, 'kim')).listen();
    const caller = { platform: 'web', id: 'ann', name: 'Ann', locale: 'en' } as const;

    await adapter.say({ caller }, line('for Ann'));
    await adapter.say({ place: studio }, line('for the studio'));

    await holds(() => expect(ofBob.seen('studio')).toHaveLength(1));
    await holds(() => expect(ofAnn.seen('dm-ann')).toHaveLength(1));
    expect(ofBob.events.filter(({ event }) => event !== 'state')).toHaveLength(1);
    expect(ofKim.events.filter(({ event }) => event !== 'state')).toHaveLength(0);

    ofAnn.close();
    ofBob.close();
    ofKim.close();
  });

  it('the stream of events restarts when the visitor changes, however long it was silent', async () => {
    const clock = createFakeClock();
    const { url } = await openWeb({ clock });
    const ann = await openBrowser(url);

    const stream = await ann.listen();
    await holds(() => expect(stream.events).toHaveLength(1));

    await clock.advance(65_000);
    await ann.post('/api/session', { person: 'max' });
    await stream.ended;
    expect(stream.events.at(-1)?.event).toBe('session');
  });

  it('the stream of events ends with the adapter', async () => {
    const { url, stop } = await openWeb();

    const stream = await (await openBrowser(url)).listen();
    await stop();
    await stream.ended;
  });
});

describe('many pages', () => {
  it('a HEAD request opens no stream of events', async () => {
    const clock = createFakeClock();
    const { url } = await openWeb({ clock });
    const ann = await openBrowser(url);
    const before = clock.pending;

    expect((await ann.ask('/api/events', { method: 'HEAD' })).status).toBe(405);
    expect(clock.pending).toBe(before);
  });

  it('when there are too many streams of events, one of the visitor who has most is closed', async () => {
    const { url } = await openWeb({ password: PASSWORD });
    const from = (visitor: string) => ({ 'x-forwarded-for': visitor });
    const listen = async (visitor: string): Promise<Response> => {
      const cookie = await signInTo(url);
      return fetch(`${url}/api/events`, { headers: { cookie, ...from(visitor) } });
    };

    const ended = new Set<Response>();
    const watch = async (response: Response): Promise<void> => {
      try {
        for await (const _ of response.body ?? []);
      } finally {
        ended.add(response);
      }
    };

    const ann = await listen('203.0.113.1');

    const many = await Promise.all(Array.from({ length: 310 }, () => listen('203.0.113.66')));
    const bob = await listen('203.0.113.2');
    const all = [ann, ...many, bob];

    expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));

    for (const each of all) watch(each).catch(() => undefined);
    await holds(() => expect(ended.size).toBe(all.length - 300));
    expect(ended.has(ann)).toBe(false);
    expect(ended.has(bob)).toBe(false);
  });

  it('a page gets everything that is said over its stream, however long', async () => {
    const { url, adapter } = await openWeb();
    const long = '\u0001'.repeat(4_000);

    for (let each = 0; each < 190; each += 1) await adapter.say({ place: studio }, line(long));
    const stream = await (await openBrowser(url)).listen();

    await holds(() => expect(stream.seen('studio')).toHaveLength(190));

    await adapter.say({ place: studio }, line('and goes on'));
    await holds(() => expect(stream.seen('studio')).toHaveLength(191));

    stream.close();
  });
});
