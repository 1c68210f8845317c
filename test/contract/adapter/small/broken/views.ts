import { MOST_TEXT } from '../platform.ts';
import { type Broken, body, media, view, without } from './faults.ts';

/** Mistakes with what is seen. */
export const views: readonly Broken[] = [
  {
    does: 'escapes nothing',
    caughtBy: [
      'text has no effect: no mention, no markup, no link',
      'bold text is read as it is',
      'code is read as it is',
      'a quote is read as it is',
    ],
    fault: () => body((each) => ({ ...each, text: each.text.replaceAll('\\', '') })),
  },
  {
    does: 'leaves out links',
    caughtBy: ['only a link is a link'],
    fault: () => body((each) => ({ ...each, text: each.text.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1') })),
  },
  {
    does: 'leaves out commands',
    caughtBy: ['a command is read by its name'],
    fault: () => without('command'),
  },
  {
    does: 'leaves out people',
    caughtBy: ['a person is shown, and not notified'],
    fault: () => without('person'),
  },
  {
    does: 'leaves out roles',
    caughtBy: ['a role is shown, and nobody is notified'],
    fault: () => without('isRole'),
  },
  { does: 'leaves out channels', caughtBy: ['a channel is shown'], fault: () => without('channel') },
  {
    does: 'loses the pictures of new messages',
    caughtBy: ['a picture is shown as a picture', 'tiles are shown with their picture, in their order'],
    fault: () => ({ api: (api) => ({ post: (where, { media: _media, ...rest }) => api.post(where, rest) }) }),
  },
  {
    does: 'shows videos as pictures',
    caughtBy: ['a video is shown as a video, a spoiler as a spoiler'],
    fault: () => media(() => ({ kind: 'image' })),
  },
  {
    does: 'loses links to results',
    caughtBy: ['what is too large for the platform is a link'],
    fault: () => view(({ media: _media, ...rest }) => rest),
  },
  {
    does: 'shows what should be a file',
    caughtBy: ['a picture that is sent as a file is a file'],
    fault: () => media(() => ({ as: 'inline' })),
  },
  {
    does: 'hides no spoilers',
    caughtBy: [
      'a picture that is a spoiler is hidden',
      'a video is shown as a video, a spoiler as a spoiler',
    ],
    fault: () => media(() => ({ spoiler: false })),
  },
  {
    does: 'stores every picture',
    caughtBy: ['what shows somebody’s photo is not stored'],
    fault: () => ({
      desk: ({ text }, state) => ({
        async text(each) {
          const given = await text(each);
          if (
            given !== undefined &&
            'view' in given &&
            given.view.media !== undefined &&
            'bytes' in given.view.media
          )
            await state.set('cache', Buffer.from(given.view.media.bytes).toString('base64'));
          return given;
        },
      }),
    }),
  },
  {
    does: 'says nothing to screen readers',
    caughtBy: ['a screen reader can say what is in a picture'],
    fault: () => media(() => ({ alt: '' })),
  },
  {
    does: 'turns the order of tiles',
    caughtBy: ['tiles are shown with their picture, in their order'],
    fault: () => body((each) => ({ ...each, tiles: each.tiles.toReversed() })),
  },
  {
    does: 'turns the order of buttons',
    caughtBy: ['buttons are shown in their order, row by row'],
    fault: () => body((each) => ({ ...each, buttons: each.buttons.toReversed() })),
  },
  {
    does: 'loses the titles of errors',
    caughtBy: ['a message of every tone shows its title and its lines'],
    fault: () =>
      view(({ title, ...rest }) =>
        rest.tone === 'failed' || title === undefined ? rest : { ...rest, title },
      ),
  },
  {
    does: 'sends more than the platform takes',
    caughtBy: ['a text that is too long is shortened'],
    fault: () => body((each) => (each.text.length < MOST_TEXT ? each : { ...each, text: `${each.text}…` })),
  },
  {
    does: 'shows no progress',
    caughtBy: ['a progress bar is shown'],
    fault: () => body((each) => ({ ...each, text: each.text.replace(/[▰▱]+/, '') })),
  },
];
