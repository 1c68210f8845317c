import { h } from './elements.js';
import { label } from './labels.js';

/** Builds the elements of a view. */

/** @typedef {import('../outgoing/render.ts').ShownSpan} Span */
/** @typedef {import('../../../command/view.ts').Button} Button */
/** @typedef {import('../../../command/view.ts').Tile} Tile */
/** @typedef {import('../outgoing/render.ts').ShownMedia} Media */
/** @typedef {(pressed: { action: string }) => Promise<void>} Press */

/** The names of symbol buttons for screen readers. @type {ReadonlyMap<string, import('./labels.js').Key>} */
const arrows = new Map([
  ['◀', 'previousPage'],
  ['▶', 'nextPage'],
]);

/** @param {string} id */
export function mediaAddress(id) {
  return `/media/${encodeURIComponent(id)}`;
}

/** @param {string} url @param {string} text */
function link(url, text) {
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, text);
}

/** @param {Span} span */
function spanOf(span) {
  if (typeof span === 'string') return document.createTextNode(span);
  if ('bold' in span) return h('strong', {}, span.bold);
  if ('code' in span) return h('code', {}, span.code);
  if ('quote' in span) return h('q', {}, span.quote);
  return link(span.url, span.link);
}

/** The text of spans without any format. @param {readonly Span[]} [spans] */
export function plain(spans = []) {
  return spans.map((span) => spanOf(span).textContent).join('');
}

/** @param {readonly Span[]} spans */
export function title(spans) {
  return h('h3', { class: 'title' }, ...spans.map(spanOf));
}

/** @param {readonly (readonly Span[])[]} lines */
export function lines(lines) {
  return h('div', { class: 'lines' }, ...lines.map((spans) => h('p', {}, ...spans.map(spanOf))));
}

/** Makes the placeholder for media that is no longer stored. */
export function lost() {
  return h('p', { class: 'lost' }, label('lost'));
}

/** @param {Extract<Media, { kind: 'image' | 'video' }>} media @param {boolean} fresh */
function picture(media, fresh) {
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (media.kind === 'video')
    return h('video', {
      src: mediaAddress(media.id),
      controls: true,
      playsInline: true,
      loop: true,
      muted: true,
      preload: 'metadata',
      // A video plays by itself only if it is new.
      autoplay: fresh && !still,
      'aria-label': media.alt,
    });
  const image = h('img', { src: mediaAddress(media.id), alt: media.alt, decoding: 'async' });
  return h('a', { href: mediaAddress(media.id), target: '_blank', rel: 'noopener', class: 'open' }, image);
}

/** @param {Media} media @param {boolean} isLost @param {boolean} fresh */
export function media(media, isLost, fresh) {
  if (media.kind === 'link') return h('p', { class: 'file' }, link(media.url, media.label));
  if (isLost) return lost();
  if (media.kind === 'file')
    return h(
      'p',
      { class: 'file' },
      h('a', { href: mediaAddress(media.id), download: media.name }, media.name),
    );
  const shown = picture(media, fresh);
  const frame = h('figure', { class: `print ${media.kind}${media.spoiler ? ' spoiler' : ''}` }, shown);
  shown.addEventListener('error', () => frame.replaceWith(lost()), true);
  if (media.spoiler) {
    const reveal = h('button', { type: 'button', class: 'reveal' }, label('show'));
    reveal.addEventListener('click', () => {
      frame.classList.remove('spoiler');
      reveal.remove();
    });
    frame.append(reveal);
  }
  return frame;
}

/** @param {HTMLButtonElement} element @param {string} action @param {Press} press */
function pressable(element, action, press) {
  element.dataset.action = action;
  element.addEventListener('click', async () => {
    if (element.ariaBusy === 'true') return;
    // The button is busy instead of disabled, because browsers would move the focus away from a disabled one.
    element.ariaBusy = 'true';
    await press({ action });
    element.ariaBusy = null;
  });
  return element;
}

/**
 * Makes the spots of a picture that buttons stand for pressable, too; screen readers and the keyboard have the buttons.
 * @param {HTMLElement} picture @param {readonly Button[]} buttons @param {Press} press
 */
export function withSpots(picture, buttons, press) {
  if (picture.tagName !== 'FIGURE') return picture;
  for (const { action, spot } of buttons) {
    const element = h('button', { type: 'button', class: 'spot', tabIndex: -1, 'aria-hidden': 'true' });
    for (const [side, share] of Object.entries(spot ?? {}))
      element.style.setProperty(side, `${100 * share}%`);
    picture.append(pressable(element, action, press));
  }
  return picture;
}

/** The pauses before each retry of a preview that the server did not have in time. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 16_000, 32_000];

/** Makes a tile; its name stands where the picture is missing. @param {Tile} tile @param {Press} press */
function tileOf({ action, label: number, name, preview }, press) {
  const ground = h('span', { class: 'ground' }, h('span', { class: 'instead', 'aria-hidden': 'true' }, name));
  const caption = h(
    'span',
    { class: 'caption' },
    h('b', {}, number),
    ' ',
    h('span', { class: 'below' }, name),
  );
  const element = h('button', { type: 'button', class: 'tile' }, ground, caption);
  if (preview !== undefined) {
    const src = `/api/preview/${encodeURIComponent(preview)}`;
    const image = h('img', { class: 'preview', alt: '', loading: 'lazy', decoding: 'async', src });
    image.addEventListener('load', () => element.classList.add('pictured'));
    const pauses = PAUSES_MS.values();
    const again = () => image.isConnected && Object.assign(image, { src });
    image.addEventListener('error', () => {
      const { value: pause } = pauses.next();
      if (pause !== undefined) setTimeout(again, pause);
    });
    ground.append(image);
  }
  return pressable(element, action, press);
}

/** Stops loading the previews of removed tiles, which would delay others. @param {HTMLElement} removed */
export function stopPreviews(removed) {
  for (const image of removed.querySelectorAll('.preview')) image.removeAttribute('src');
}

/** @param {readonly Tile[]} all @param {string} name @param {Press} press */
export function drawTiles(all, name, press) {
  return h(
    'div',
    { class: 'tiles', role: 'group', 'aria-label': name },
    ...all.map((tile) => tileOf(tile, press)),
  );
}

/** @param {readonly (readonly Button[])[]} rows @param {Press} press */
export function drawButtons(rows, press) {
  return h(
    'div',
    { class: 'buttons' },
    ...rows.map((row) =>
      h(
        'div',
        { class: 'button-row' },
        ...row.map((button) => {
          const element = h('button', { type: 'button', class: button.style ?? 'plain' }, button.label);
          const named = arrows.get(button.label);
          if (named !== undefined) element.ariaLabel = label(named);
          return pressable(element, button.action, press);
        }),
      ),
    ),
  );
}

/**
 * Makes a field for a written answer; the person's next message counts as an answer, too.
 * @param {{ question: { label: string, kind: string, max?: number } }} ask
 * @param {(text: string) => Promise<void>} answer
 * @param {() => void} choosePhoto
 */
export function answerField({ question }, answer, choosePhoto) {
  if (question.kind === 'image')
    return h(
      'div',
      { class: 'answer' },
      h('button', { type: 'button', class: 'plain', on: { click: choosePhoto } }, label('choosePhoto')),
    );
  const input = h('input', { type: 'text', maxLength: question.max ?? 200, required: true });
  const form = h(
    'form',
    { class: 'answer' },
    h('label', { class: 'field' }, h('span', {}, question.label), input),
    h('button', { type: 'submit', class: 'plain' }, label('answer')),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (input.value.trim() !== '') void answer(input.value.trim());
  });
  return form;
}
