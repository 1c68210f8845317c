import { expect, test } from 'vitest';
import type { Caller, Place } from '../../../src/command/place.ts';
import { bob, buttonsOf, createFakeChat, photo, room } from '../../fakes/call.ts';
import { requestOf } from '../../fakes/requests.ts';

const group: Place = { ...room, platform: 'telegram', community: 'telegram:-1005', channel: '-1005' };
const elsewhere: Place = { ...group, community: 'telegram:-1006', channel: '-1006' };
/** A person who speaks as a channel in the group. */
const channel: Caller = { platform: 'telegram', id: 'channel:-1005', name: 'News', locale: 'en' };
const ann: Caller = { platform: 'telegram', id: '50001', name: 'Ann', locale: 'en' };

const asked = async () => {
  const chat = createFakeChat(channel, group);
  await chat.type('/faceswap 12', photo);
  const action = buttonsOf(chat.last).find(({ label }) => label === 'female')?.action ?? '';
  return { chat, action };
};

test('anybody can answer a question to a channel, and the job counts for them', async () => {
  const { chat, action } = await asked();
  // Ann alone has consented, so the job is accepted only if it counts as hers.
  chat.state.consented.add('telegram:50001');
  expect(await chat.as({ ...bob, platform: 'telegram' }, elsewhere).press(action)).toMatch(/someone else/);

  await chat.as(ann, group).press(action);
  expect(chat.state.generated).toHaveLength(1);
});

test('a blocked person cannot answer a question to a channel', async () => {
  const { chat, action } = await asked();
  chat.state.blocked.add('telegram:50001');
  expect(await chat.as(ann, group).press(action)).toMatch(/blocked/);
  expect(chat.state.generated).toEqual([]);
});

test('blocking channel senders applies to all channels', async () => {
  const chat = createFakeChat(channel, group);
  chat.state.blocked.add('telegram:channel:-1005');
  expect(await chat.type('/faceswap 12 male', photo)).toMatch(/blocked/);
  expect(await chat.as({ ...channel, name: 'Other news' }, group).type('/faceswap 12 male', photo)).toMatch(
    /blocked/,
  );
});

/** Ann's chat in a group where a channel has made a job. */
const chatWithChannelJob = () => {
  const chat = createFakeChat(ann, group);
  chat.state.consented.add('telegram:50001');
  chat.state.jobs.push({
    id: 'job-9',
    state: 'done',
    kind: 'face-swap-v6',
    label: '12',
    credits: 1,
    createdAt: 1,
    owner: 'telegram:channel:-1005',
    community: group.community,
    channel: group.channel,
    request: requestOf('face-swap-v6'),
  });
  return chat;
};

test('Again on the card of a channel’s job makes a job for whoever presses', async () => {
  const chat = chatWithChannelJob();

  await chat.press('again:job-9');

  expect(chat.state.generated).toMatchObject([{ againOf: 'job-9' }]);
});

test('only moderators can cancel or delete a channel’s job', async () => {
  const chat = chatWithChannelJob();
  expect(await chat.press('cancel:job-9')).toMatch(/someone else/);
  expect(await chat.press('delete:job-9')).toMatch(/someone else/);

  chat.state.moderators.add('telegram:50001');
  expect(await chat.press('cancel:job-9')).toMatch(/cancelled/);
});

test('a later channel post does not answer a person’s question', async () => {
  const chat = createFakeChat(channel, group);

  await chat.type('/faceswap', photo);
  const other = chat.as(ann, group);
  await other.press(buttonsOf(chat.last)[0]?.action ?? '');
  const before = chat.state.generated.length;
  await chat.type('12');

  expect(chat.state.generated).toHaveLength(before);
});
