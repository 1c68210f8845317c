import type { Widen } from './owner.ts';

/** Texts of the page at `/removal`, for people outside the chat. */
export const removalPage = {
  skip: 'Skip to the content',
  languages: 'Languages',
  back: 'To the form',
  title: 'Ask for a picture to be removed',
  intro:
    'This bot makes pictures and videos from photos of people. If you, or a child in your care, can be seen in one and you do not want that, tell us here. You need no account, and it costs nothing.',
  next: 'The people who run this bot look at every request and decide within 48 hours. You get a number with which you can see what became of yours. A result that is removed is deleted wherever the bot showed it, and the photos it was made from are refused from then on.',
  what: 'Which picture or video?',
  link: 'Link to the message that shows it',
  linkHint:
    'Discord: open the menu of the message, then “Copy Message Link”. Telegram: press the message, then “Copy Link”.',
  picture: 'Or the picture itself',
  pictureHint:
    'JPEG, PNG or WebP, at most 20 MB. It is not kept: only a fingerprint is, by which the same picture can be found. Nobody can see the picture in it.',
  about: 'What is it about?',
  aboutHint: 'In your own words: who can be seen, and where you have seen it. A sentence is enough.',
  contact: 'How can you be reached?',
  contactHint: 'For example an e-mail address, for questions. Only the people who run this bot read it.',
  send: 'Send the request',
  kept: 'What you write is kept encrypted for a year, then deleted. With your number you can delete it before.',
  asked: 'You have a number already?',
  number: 'Number of your request',
  find: 'See what became of it',
  notSent: 'This was not sent',
  problems: {
    nothing: 'Give the link to the message, or choose the picture. Both are fine, too.',
    link: 'This is not a link. It begins with https:// and leads to the message.',
    contact: 'Say how you can be reached.',
    about: 'Say in a few words what it is about.',
    large: 'The picture is too large: at most 20 MB. A smaller copy, such as a screenshot, is enough.',
    picture:
      'This file cannot be read as a picture. Choose a JPEG, PNG or WebP, for example a screenshot. What you wrote is still here.',
    busy: 'Many requests are arriving right now. Please try again in a few minutes.',
    'busy-of-one': 'That was often within a short time. Please wait a minute, then try again.',
    full: 'More requests are open than can be answered in time, so yours was not taken. Please try again tomorrow. Do not wait until then: report the message in the app where you see it, and ask a moderator of that chat, who can remove it at once.',
    'full-of-one':
      'Too many requests from your network are open, so this one was not taken. Please try again when one of them is decided. You can also report the message in the app where you see it, or ask a moderator of that chat, who can remove it at once.',
    slow: 'The form arrived too slowly. Please try again, perhaps with a smaller picture.',
    malformed: 'The form did not arrive as it should. Please open the page again and fill it in there.',
    elsewhere: 'The form came from another page. Please open this page itself.',
    failed: 'Something went wrong here, and nothing was sent. Please try again in a few minutes.',
  },
  stateTitle: 'Your request',
  received: 'Received',
  decided: 'Decided',
  reason: 'What they wrote to you',
  states: {
    open: {
      title: 'Your request has arrived.',
      text: 'Nobody has decided yet. That happens by {until} at the latest.',
    },
    late: {
      title: 'Your request is still open.',
      text: 'It should have been decided by {until}. The people who run this bot have been reminded. You can also report the message in the app where you see it, or ask a moderator of that chat, who can remove it at once.',
    },
    removed: {
      title: 'The result was removed.',
      text: 'It was deleted where the bot showed it, and the photos it was made from are refused from now on. Copies that people have saved or sent on cannot be deleted from here.',
    },
    refused: {
      title: 'Your request was refused.',
      text: 'The people who run this bot have looked at it, and nothing was removed.',
    },
    nothing: {
      title: 'Nothing was found.',
      text: 'No result of this bot belongs to what you sent: it may have been made by something else, be deleted already, or be older than 30 days. If you have the link to the message, or a better copy of the picture, please send a new request.',
    },
  },
  keep: 'Write the number down, or keep the address of this page: it is the only way back. Do not give it to others.',
  again: 'If that does not help you, you can send a new request.',
  another: 'New request',
  deleteIt: 'Delete this request',
  deleteWhat:
    'What you wrote, the fingerprint of the picture and this page are deleted at once. If nobody has decided yet, nobody will.',
  cancel: 'Do not',
  deletedTitle: 'Deleted',
  deleted: 'Your request was deleted.',
  unknownTitle: 'No such request',
  unknown:
    'There is no request with this number. Check each letter. A request is deleted after a year, or when somebody deletes it with its number.',
} as const;

export type RemovalPageWords = Widen<typeof removalPage>;
