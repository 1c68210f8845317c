import { complete } from './api.js';
import { byId, h } from './elements.js';
import { typingIn, written } from './grammar.js';
import { label } from './labels.js';

/** Suggests completions while a person types. Enter sends the message unless a suggestion is selected. */

/**
 * A suggestion, whose `insert` replaces the typed text from `start`.
 * @typedef {{ label: string, detail: string, insert: string, start: number }} Suggestion
 */

const MOST = 12;
const DEBOUNCE_MS = 90;
const SERVER_KINDS = ['reference', 'alias', 'face', 'command', 'time-zone', 'channel'];

/** @param {string} typed @param {string} name */
function begins(typed, name) {
  return name.toLowerCase().startsWith(typed.toLowerCase());
}

/**
 * @param {Extract<import('./grammar.js').Typing, { kind: 'word' }>} typing
 * @returns {Suggestion[]}
 */
function words({ action, given, typed, start }) {
  const open = action.options.filter(({ name, kind }) => kind !== 'image' && given[name] === undefined);
  const names = open
    .filter(({ name }) => begins(typed, name))
    .map(({ name, description, choices }) => ({
      label: `${name}=`,
      detail: choices === undefined ? description : `${description} · ${choices.join(', ')}`,
      insert: `${name}=`,
      start,
    }));
  const values = open
    .filter(({ kind }) => typed !== '' && kind !== 'flag')
    .flatMap(({ name, choices = [] }) =>
      choices
        .filter((choice) => begins(typed, choice))
        .map((choice) => `${name}=${choice}`)
        .map((pair) => ({ label: pair, detail: '', insert: `${pair} `, start })),
    );
  return [...names, ...values];
}

/**
 * @param {import('./grammar.js').Typing} typing
 * @param {readonly import('./api.js').Command[]} commands
 * @returns {Suggestion[]}
 */
function known(typing, commands) {
  const { typed, start } = typing;
  if (typing.kind === 'command')
    return commands
      .filter(({ name }) => begins(typed, name))
      .map(({ name, description }) => ({
        label: `/${name}`,
        detail: description,
        insert: `/${name} `,
        start,
      }));
  if (typing.kind === 'subcommand')
    return typing.command.actions
      .filter(({ name = '' }) => begins(typed, name))
      .map(({ name = '', description }) => ({ label: name, detail: description, insert: `${name} `, start }));
  if (typing.kind === 'word') return words(typing);
  const option = typing.action.options.find(({ name }) => name === typing.option);
  return (option?.choices ?? [])
    .filter((choice) => begins(typed, choice))
    .map((choice) => ({
      label: choice,
      detail: choice === option?.standard ? label('isDefault') : '',
      insert: `${written(choice)} `,
      start,
    }));
}

/**
 * The name of the option being typed, if only the server knows its values: filters, styles, aliases, faces, channels; or their order.
 * @param {import('./grammar.js').Typing} typing
 */
function asked(typing) {
  if (typing.kind !== 'value' && typing.kind !== 'word') return undefined;
  const { kind, typed, action, given } = typing;
  const option = action.options
    .filter((each) => SERVER_KINDS.includes(each.kind) || (kind === 'value' && each.choices !== undefined))
    // A word without an option name is not taken for a face that can be left out.
    .filter((each) => kind === 'value' || each.kind !== 'face' || each.required)
    .find(({ name }) => (kind === 'value' ? name === typing.option : given[name] === undefined));
  // Without an option name, the server is asked only once something is typed.
  return kind === 'word' && typed === '' && option?.kind !== 'command' ? undefined : option?.name;
}

/** @param {{ commands: readonly import('./api.js').Command[], room: () => string }} options */
export function createCompletion({ commands, room }) {
  const input = byId('message', HTMLTextAreaElement);
  const list = byId('suggestions', HTMLElement);
  /** @type {Suggestion[]} */
  let shown = [];
  let active = -1;
  let abort = new AbortController();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  const close = () => {
    abort.abort();
    clearTimeout(timer);
    shown = [];
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    input.removeAttribute('aria-activedescendant');
  };

  /** @param {number} index */
  const point = (index) => {
    active = index;
    [...list.children].forEach((each, at) => {
      each.setAttribute('aria-selected', String(at === index));
      if (at === index) each.scrollIntoView({ block: 'nearest' });
    });
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `suggestion-${index}`);
  };

  /** @param {Suggestion} suggestion */
  const accept = ({ insert, start }) => {
    input.setRangeText(insert, start, input.selectionEnd, 'end');
    input.focus();
    input.dispatchEvent(new Event('input', { bubbles: true }));
  };

  /** @param {Suggestion[]} suggestions */
  const show = (suggestions) => {
    shown = suggestions.slice(0, MOST);
    active = -1;
    input.removeAttribute('aria-activedescendant');
    list.replaceChildren(
      ...shown.map((suggestion, index) =>
        h(
          'div',
          {
            role: 'option',
            id: `suggestion-${index}`,
            'aria-selected': 'false',
            class: 'suggestion',
            on: {
              // The event is `pointerdown`, because it comes before the field loses the focus.
              pointerdown: (/** @type {Event} */ event) => {
                event.preventDefault();
                accept(suggestion);
              },
            },
          },
          h('span', { class: 'what' }, suggestion.label),
          h('span', { class: 'why' }, suggestion.detail),
        ),
      ),
    );
    list.hidden = shown.length === 0;
    list.scrollTop = 0;
  };

  /** @param {import('./grammar.js').Typing} typing @param {Suggestion[]} first @param {string} option */
  const askServer = async (typing, first, option) => {
    const { signal } = abort;
    if (typing.kind !== 'value' && typing.kind !== 'word') return;
    const query = {
      room: room(),
      command: typing.command.name,
      ...(typing.action.name === undefined ? {} : { subcommand: typing.action.name }),
      option,
      typed: typing.typed,
      given: JSON.stringify(typing.given),
    };
    const found = await complete(query, signal).catch(() => []);
    if (signal.aborted) return;
    const { choices } = typing.action.options.find(({ name }) => name === option) ?? {};
    // The page knows all choices; the server puts first what the person chose last.
    if (choices !== undefined) {
      const last = first.filter((each) => each.label === found[0]?.value);
      return show([...last, ...first.filter((each) => !last.includes(each))]);
    }
    const prefix = typing.kind === 'word' ? `${option}=` : '';
    show([
      ...found.map(({ value, label }) => ({
        label,
        detail: typing.kind === 'word' ? option : '',
        insert: `${prefix}${written(value)} `,
        start: typing.start,
      })),
      ...first,
    ]);
  };

  const update = () => {
    abort.abort();
    clearTimeout(timer);
    abort = new AbortController();
    const typing = typingIn(input.value.slice(0, input.selectionEnd), commands);
    if (typing === undefined) return close();
    const first = known(typing, commands);
    const option = asked(typing);
    if (option === undefined || first.length > 0) show(first);
    if (option !== undefined) timer = setTimeout(() => void askServer(typing, first, option), DEBOUNCE_MS);
  };

  /** Handles a key; returns whether the list has used it. @param {KeyboardEvent} event */
  const key = (event) => {
    const choosesFirst = active === -1 && event.key === 'Tab' && !event.shiftKey;
    const chosen = choosesFirst ? shown[0] : shown[active];
    if (list.hidden || event.isComposing) return false;
    if (event.key === 'ArrowDown') point((active + 1) % shown.length);
    else if (event.key === 'ArrowUp') point(active <= 0 ? shown.length - 1 : active - 1);
    else if (event.key === 'Escape') close();
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen && !event.shiftKey) accept(chosen);
    else return false;
    event.preventDefault();
    return true;
  };

  return { update, close, key };
}
