import { complete, fetchSample } from './api.js';
import { byId, h } from './elements.js';
import { written } from './grammar.js';
import { label } from './labels.js';

/** Builds a form for every command from its declaration; the form sends the same line that a person would type. */

/** @typedef {import('./api.js').Command} Command */
/** @typedef {import('./api.js').Action} Action */
/** @typedef {import('./api.js').Option} Option */
/** @typedef {{ element: HTMLElement, text(): string, photos(): File[] }} Field */

/** @param {Option} option */
function labelOf({ name, required }) {
  return h('span', {}, name, required ? h('em', {}, ` ${label('required')}`) : undefined);
}

/**
 * Makes buttons that put a sample into a file field.
 * @param {HTMLInputElement} input
 * @param {readonly { name: string, label: string }[]} samples
 */
function sampleChips(input, samples) {
  return h(
    'div',
    { class: 'button-row' },
    ...samples.map((sample) => {
      const use = async () => {
        const held = new DataTransfer();
        held.items.add(await fetchSample(sample.name));
        input.files = held.files;
        input.dispatchEvent(new Event('change'));
      };
      return h('button', { type: 'button', class: 'chip', on: { click: () => void use() } }, sample.label);
    }),
  );
}

/**
 * @param {Option} option
 * @param {{ samples: readonly { name: string, label: string }[], mostPhotos: number }} session
 * @param {(typed: string) => Promise<{ value: string, label: string }[]>} suggest
 * @returns {Field}
 */
function fieldFor(option, { samples, mostPhotos }, suggest) {
  const { name, kind, description, required, choices } = option;
  const about = h('small', {}, description);
  /** @param {HTMLElement} control */
  const wrap = (control) => h('label', { class: 'field' }, labelOf(option), control, about);
  const none = { text: () => '', photos: () => [] };
  /** @param {string} value */
  const line = (value) => (value.trim() === '' ? '' : `${name}=${written(value.trim())}`);

  if (kind === 'image') {
    const input = h('input', { type: 'file', accept: 'image/*', required, multiple: option.album === true });
    input.addEventListener('change', () => {
      const isTooMany = (input.files?.length ?? 0) > mostPhotos;
      input.setCustomValidity(isTooMany ? label('mostPhotos', { most: mostPhotos }) : '');
    });
    const element = h('div', { class: 'with-samples' }, wrap(input), sampleChips(input, samples));
    return { ...none, element, photos: () => [...(input.files ?? [])] };
  }
  if (choices !== undefined) {
    const standard = h(
      'option',
      { value: '' },
      option.standard === undefined ? '–' : label('standard', { value: String(option.standard) }),
    );
    const rest = choices
      .filter((choice) => choice !== option.standard)
      .map((choice) => h('option', { value: choice }, choice));
    const select = h('select', { required }, standard, ...rest);
    // The server puts first what the person chose last.
    const order = async () => {
      const [last] = await suggest('').catch(() => []);
      const first = rest.find((each) => each.value === last?.value);
      if (first !== undefined) standard.after(first);
    };
    void order();
    return { ...none, element: wrap(select), text: () => line(select.value) };
  }
  if (kind === 'text') {
    const area = h('textarea', { rows: 2, maxLength: option.max ?? 1000, required });
    return { ...none, element: wrap(area), text: () => line(area.value) };
  }
  if (kind === 'integer') {
    const input = h('input', { type: 'number', min: String(option.min), max: String(option.max), required });
    return { ...none, element: wrap(input), text: () => line(input.value) };
  }
  const list = h('datalist', { id: `list-${name}` });
  const input = h('input', { type: 'text', maxLength: 100, required });
  input.setAttribute('list', list.id);
  const fill = async () => {
    const found = await suggest(input.value).catch(() => []);
    list.replaceChildren(...found.map((each) => h('option', each)));
  };
  input.addEventListener('input', () => void fill());
  input.addEventListener('focus', () => void fill(), { once: true });
  const element = wrap(input);
  element.append(list);
  const person = kind === 'user' ? '@' : '';
  return { ...none, element, text: () => line(input.value && person + input.value.replace(/^@/, '')) };
}

/**
 * @param {{ session: { commands: readonly Command[], samples: readonly { name: string, label: string }[], mostPhotos: number }, room: () => string, send(text: string, photos: readonly File[]): void }} options
 */
export function createForms({ session, room, send }) {
  const sheet = byId('sheet', HTMLDialogElement);
  const shut = () =>
    h(
      'button',
      { type: 'button', class: 'shut', 'aria-label': label('close'), on: { click: () => sheet.close() } },
      '×',
    );

  /** @param {Command} command @param {Action} action */
  const fill = (command, action) => {
    const path = [command.name, action.name].filter((name) => name !== undefined);
    const fields = action.options.map((option) =>
      fieldFor(option, session, (typed) => {
        const query = { room: room(), command: command.name, option: option.name, typed };
        const subcommand = action.name === undefined ? {} : { subcommand: action.name };
        return complete({ ...query, ...subcommand }, AbortSignal.timeout(5000));
      }),
    );
    const form = h(
      'form',
      { class: 'command-form' },
      h('p', {}, action.description),
      ...fields.map(({ element }) => element),
      h(
        'div',
        { class: 'button-row' },
        h('button', { type: 'button', class: 'plain', on: { click: choose } }, label('back')),
        h('button', { type: 'submit', class: 'primary' }, label('run')),
      ),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      const words = fields.map((field) => field.text()).filter((text) => text !== '');
      send(
        [`/${path.join(' ')}`, ...words].join(' '),
        fields.flatMap((field) => field.photos()),
      );
      sheet.close();
    });
    sheet.replaceChildren(h('h2', { id: 'sheet-title' }, `/${path.join(' ')}`), shut(), form);
    const [first] = form.elements;
    if (first instanceof HTMLElement) first.focus();
  };

  /** @param {Command} command @param {Action} action */
  const entry = (command, action) =>
    h(
      'li',
      {},
      h(
        'button',
        { type: 'button', class: 'command', on: { click: () => fill(command, action) } },
        h('strong', {}, `/${[command.name, action.name].filter(Boolean).join(' ')}`),
        h('span', {}, action.description),
        command.moderators ? h('em', { class: 'badge' }, label('moderators')) : undefined,
      ),
    );

  const choose = () => {
    const entries = session.commands.flatMap((command) =>
      command.actions.map((action) => entry(command, action)),
    );
    sheet.replaceChildren(
      h('h2', { id: 'sheet-title' }, label('allCommands')),
      shut(),
      h('ul', { class: 'commands' }, ...entries),
    );
    if (!sheet.open) sheet.showModal();
    sheet.scrollTop = 0;
  };

  return { open: choose };
}
