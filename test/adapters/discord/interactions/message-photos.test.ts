import { describe, expect, test } from 'vitest';
import { readMessagePhotos } from '../../../../src/adapters/discord/interactions/message-photos.ts';
import { createHostCheck } from '../../../../src/adapters/discord/payloads/photo-ref.ts';

const isAllowedHost = createHostCheck(['cdn.discordapp.com']);
/** A message as it comes over the gateway: whatever it does not have may be left out. */
const readAll = (message: object) => readMessagePhotos(JSON.parse(JSON.stringify(message)), isAllowedHost);

const read = (message: object) => {
  const [photo, ...more] = readAll(message);
  expect(more).toEqual([]);
  return photo;
};

const public1 = 'https://pictures.example/a.png';
const link = { from: 'link', url: public1 };

test.each([
  { content: 'nothing at all', message: {} },
  {
    content: 'a forwarded message of which nothing is known',
    message: { message_snapshots: [{ message: {} }] },
  },
  {
    content: 'components of sorts that we do not know',
    message: { components: [null, 7, { type: 99, items: 'x', media: [] }] },
  },
])('a message with $content has no picture, and causes no error', ({ message }) => {
  expect(read(message)).toBeUndefined();
});

test('a message with several pictures has all of them that can be used, and a preview has one', () => {
  const file = (id: string, type = 'image/png') => ({
    id,
    filename: `${id}.png`,
    content_type: type,
    url: `https://cdn.discordapp.com/${id}.png`,
  });

  const attachments = [file('1'), file('2', 'image/gif'), file('3')];
  expect(readAll({ attachments })).toHaveLength(2);
  expect(readAll({ attachments: [file('2', 'image/gif')] })).toBe('unusable');

  const preview = { image: { url: public1 }, thumbnail: { url: `${public1}?small` } };
  expect(readAll({ embeds: [preview, preview] })).toEqual([link, link]);
});

describe('the picture of a link', () => {
  test('the picture of a link is the thumbnail if the large picture is not allowed', () => {
    const embeds = [{ image: { url: 'http://pictures.example/b.png' }, thumbnail: { url: public1 } }];
    expect(read({ embeds })).toEqual(link);
  });

  test.each([
    { how: 'hidden', content: `look: ||${public1}||`, hidden: true },
    { how: 'hidden over lines', content: `||see\n${public1}\n||`, hidden: true },
    { how: 'not hidden', content: public1, hidden: false },
    { how: 'beside something hidden', content: `||no|| ${public1} ||neither||`, hidden: false },
  ])('the picture of a link is a spoiler if the link is $how in the text', ({ content, hidden }) => {
    const message = { content, embeds: [{ type: 'image', url: public1, thumbnail: { url: public1 } }] };
    expect(read(message)).toEqual(hidden ? { ...link, spoiler: true } : link);

    const forwarded = { content: '', message_snapshots: [{ message }] };
    expect(read(forwarded)).toEqual(hidden ? { ...link, spoiler: true } : link);
  });

  test('the picture of a link is a spoiler if its page’s link is one', () => {
    const page = 'https://pictures.example/page';
    const message = { content: `||${page}||`, embeds: [{ url: page, image: { url: public1 } }] };
    expect(read(message)).toEqual({ ...link, spoiler: true });
  });
});

describe('a message made of components', () => {
  const gallery = (more: object = {}) => ({ type: 12, items: [{ media: { url: public1 }, ...more }] });

  test.each([
    { position: 'in a gallery', components: [gallery()], hidden: false },
    { position: 'hidden in a gallery', components: [gallery({ spoiler: true })], hidden: true },
    {
      position: 'in a container',
      components: [{ type: 17, components: [{ type: 10, content: 'x' }, gallery()] }],
      hidden: false,
    },
    {
      position: 'in a container that is hidden',
      components: [{ type: 17, spoiler: true, components: [gallery()] }],
      hidden: true,
    },
    {
      position: 'beside a text',
      components: [{ type: 9, components: [], accessory: { type: 11, media: { url: public1 } } }],
      hidden: false,
    },
    {
      position: 'as a file',
      components: [{ type: 13, file: { url: public1, content_type: 'image/png' } }],
      hidden: false,
    },
    {
      position: 'after a video',
      components: [
        {
          type: 12,
          items: [
            { media: { url: 'https://v.example/v.mp4', content_type: 'video/mp4' } },
            { media: { url: public1 } },
          ],
        },
      ],
      hidden: false,
    },
  ])('a message made of components has its picture $position', ({ components, hidden }) => {
    expect(read({ components })).toEqual(hidden ? { ...link, spoiler: true } : link);
  });

  test('a message made of components has a photo on Discord’s host, and none at a private address', () => {
    const at = (url: string) => [{ type: 12, items: [{ media: { url } }] }];
    expect(read({ components: at('https://cdn.discordapp.com/attachments/1/2/a.png') })).toMatchObject({
      from: 'discord',
    });
    expect(read({ components: at('https://127.0.0.1/a.png') })).toBeUndefined();
  });
});
