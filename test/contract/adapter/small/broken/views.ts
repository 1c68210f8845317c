import { MOST_TEXT } from '../platform.ts';
import { type Broken, body, media, view, without } from './faults.ts';

/** Mistakes with what is seen. */
export const views: Broken = {
  'escapes nothing': [
    body((each) => ({ ...each, text: each.text.replaceAll('\\', '') })),
    'text has no effect: no mention, no markup, no link',
    'bold text is read as it is',
    'code is read as it is',
    'a quote is read as it is',
  ],
  'leaves out links': [
    body((each) => ({ ...each, text: each.text.replaceAll(/\[(.*?)\]\(.*?\)/g, '$1') })),
    'only a link is a link',
  ],
  'leaves out commands': [without('command'), 'a command is read by its name'],
  'leaves out people': [without('person'), 'a person is shown, and not notified'],
  'leaves out roles': [without('isRole'), 'a role is shown, and nobody is notified'],
  'leaves out channels': [without('channel'), 'a channel is shown'],
  'loses the pictures of new messages': [
    { api: (api) => ({ post: (where, { media: _media, ...rest }) => api.post(where, rest) }) },
    'a picture is shown as a picture',
    'tiles are shown with their picture, in their order',
  ],
  'shows videos as pictures': [
    media(() => ({ kind: 'image' })),
    'a video is shown as a video, a spoiler as a spoiler',
  ],
  'loses links to results': [
    view(({ media: _media, ...rest }) => rest),
    'what is too large for the platform is a link',
  ],
  'shows what should be a file': [
    media(() => ({ as: 'inline' })),
    'a picture that is sent as a file is a file',
  ],
  'hides no spoilers': [
    media(() => ({ spoiler: false })),
    'a picture that is a spoiler is hidden',
    'a video is shown as a video, a spoiler as a spoiler',
  ],
  'stores every picture': [
    {
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
    },
    'what shows somebody’s photo is not stored',
  ],
  'says nothing to screen readers': [
    media(() => ({ alt: '' })),
    'a screen reader can say what is in a picture',
  ],
  'turns the order of tiles': [
    body((each) => ({ ...each, tiles: each.tiles.toReversed() })),
    'tiles are shown with their picture, in their order',
  ],
  'turns the order of buttons': [
    body((each) => ({ ...each, buttons: each.buttons.toReversed() })),
    'buttons are shown in their order, row by row',
  ],
  'loses the titles of errors': [
    view(({ title, ...rest }) => (rest.tone === 'failed' || title === undefined ? rest : { ...rest, title })),
    'a message of every tone shows its title and its lines',
  ],
  'sends more than the platform takes': [
    body((each) => (each.text.length < MOST_TEXT ? each : { ...each, text: `${each.text}…` })),
    'a text that is too long is shortened',
  ],
  'shows no progress': [
    body((each) => ({ ...each, text: each.text.replace(/[▰▱]+/, '') })),
    'a progress bar is shown',
  ],
};
