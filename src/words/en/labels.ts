import { pluralIn } from '../phrase.ts';

/** Selects the form of a word that a count needs in this language. */
export const plural = pluralIn('en');

export const credits = (amount: number): string => `${amount} ${plural(amount, 'credit', 'credits')}`;

export const jobs = (count: number): string => `${count} ${plural(count, 'job', 'jobs')}`;

/** The name of each kind of job, as the title of its card. */
export const kinds = {
  'face-swap-v6': 'Face swap',
  'face-swap-v5': 'Face swap (v5)',
  'face-swap-v1': 'Face swap (v1)',
  'self-prompt': 'Portrait from a prompt',
  'multi-swap-realistic': 'Group swap',
  'multi-swap-realistic-prompt': 'Group from a prompt',
  'multi-swap-stylized': 'Stylized group swap',
  'multi-swap-stylized-prompt': 'Stylized group from a prompt',
  'multi-swap-classic': 'Classic group swap',
  'single-frame-video': 'Video',
  'first-last-frame-video': 'Transition video',
};

export type KindWords = Readonly<Record<keyof typeof kinds, string>>;

/** Labels of the playground page, plain text. The page fills in `{name}`. */
export const page = {
  skip: 'Skip to the message field',
  playground: 'Playground',
  rooms: 'Rooms',
  directChat: 'Direct chat',
  youAre: 'You are',
  member: 'member',
  moderator: 'moderator',
  owner: 'owner',
  language: 'Language',
  unread: '{count} new',
  tryTitle: 'Things to try',
  trySwap: 'Swap a face',
  tryScene: 'Describe a scene',
  tryGroup: 'Restyle a group',
  tryAlbum: 'Several photos at once',
  tryVideo: 'Make a video',
  tryMorph: 'Morph one into another',
  tryFilters: 'Browse the filters',
  samplePortrait: 'Sample portrait',
  sampleGroup: 'Sample group photo',
  fine: 'Your photos stay in memory here for an hour and are not written to disk unless you keep one with /face save; results stay in the chat.',
  welcomeTitle: 'Drop a photo, get it back transformed.',
  welcomeText:
    'Pick a sample below or use your own photo, then press a filter, or type / to see what Darkroom can do. Are there several people in it? Press the one you mean.',
  conversation: 'Conversation',
  suggestions: 'Suggestions',
  attachments: 'Attachments',
  photos: 'Photos',
  addPhotos: 'Add pictures',
  camera: 'Camera',
  takePhoto: 'Take a picture',
  message: 'Message',
  placeholder: 'Type / or add a photo',
  send: 'Send',
  allCommands: 'All commands',
  keySends: 'sends',
  keyNewLine: 'new line',
  keyCompletes: 'completes',
  drop: 'Drop to attach',
  progress: 'Progress',
  noAnswer: 'The server is not answering.',
  reload: 'The server is not answering. Reload the page in a moment.',
  sending: 'Sending…',
  tryingAgain: 'The server is not answering; trying again',
  serverSaid: 'The server answered {status}.',
  notSent: 'This could not be sent. Your text is back in the field below.',
  tooLong: 'This message is too long: shorten it to 4,000 characters. Nothing was cut off.',
  mostPhotos: 'A message can have at most {most} photos.',
  tooLarge: '{name} is larger than 20 MB.',
  takeOutOne: 'Remove {name}',
  notUsable: '{name} cannot be used. Choose a JPEG, PNG or WebP.',
  notPicture: '{name} is not a picture. Choose a JPEG, PNG or WebP.',
  required: 'required',
  standard: '{value} (default)',
  isDefault: 'default',
  moderators: 'moderators',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  close: 'Close',
  back: 'Back',
  run: 'Run',
  onlyYou: 'Only you see this',
  remove: 'Remove',
  photo: 'Photo {number}',
  lost: 'No longer available',
  show: 'Show',
  choosePhoto: 'Choose a photo',
  answer: 'Answer',
  password: 'Password',
  enter: 'Log in',
  wrongPassword: 'Wrong password.',
  waitPassword: 'Too many attempts. Wait a moment.',
  longPassword: 'That is too long for a password.',
};

export type PageWords = { readonly [K in keyof typeof page]: string };
