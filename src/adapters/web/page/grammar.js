/** Parses the line that a person is typing, for completion only; the server parses the line that was sent. */

/** @typedef {import('./api.js').Command} Command */
/** @typedef {import('./api.js').Action} Action */
/**
 * @typedef {{ kind: 'command', typed: string, start: number }
 *   | { kind: 'subcommand', command: Command, typed: string, start: number }
 *   | { kind: 'word', command: Command, action: Action, given: Record<string, string>, typed: string, start: number }
 *   | { kind: 'value', command: Command, action: Action, given: Record<string, string>, option: string, typed: string, start: number }} Typing
 */

/** Finds the text after the last space outside of quotes. @param {string} text */
function lastPiece(text) {
  let start = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charAt(at);
    if (/["“”]/.test(letter)) quoted = !quoted;
    else if (/\s/.test(letter) && !quoted) start = at + 1;
  }
  return { start, piece: text.slice(start) };
}

/** @param {string} text @returns {Record<string, string>} */
function givenIn(text) {
  return Object.fromEntries(
    [...text.matchAll(/(?:^|\s)(\w+)=(?:"([^"]*)"|(\S+))/g)].map(([, key = '', phrase, word]) => [
      key.toLowerCase(),
      phrase ?? word ?? '',
    ]),
  );
}

/**
 * @param {string} text up to the caret
 * @param {readonly Command[]} commands
 * @returns {Typing | undefined}
 */
export function typingIn(text, commands) {
  const head = /^\s*\/(\S*)/.exec(text);
  if (head === null) return undefined;
  const typed = (head[1] ?? '').toLowerCase();
  if (head[0].length === text.length) return { kind: 'command', typed, start: text.indexOf('/') };
  const command = commands.find((each) => each.name === typed);
  if (command === undefined) return undefined;

  const { start, piece } = lastPiece(text);
  const [first] = command.actions;
  const hasSubcommands = first?.name !== undefined;
  const rest = text.slice(head[0].length, start).trim();
  if (hasSubcommands && rest === '')
    return { kind: 'subcommand', command, typed: piece.toLowerCase(), start };
  const action = hasSubcommands
    ? command.actions.find((each) => each.name === rest.split(/\s+/, 1)[0]?.toLowerCase())
    : first;
  if (action === undefined) return undefined;

  const given = givenIn(rest);
  const [, key, value] = /^(\w+)=(.*)$/s.exec(piece) ?? [];
  const option = key && action.options.find((each) => each.name === key.toLowerCase())?.name;
  if (option && value !== undefined && key !== undefined) {
    const typed = value.replace(/^["“]|["”]$/g, '');
    return { kind: 'value', command, action, given, option, typed, start: start + key.length + 1 };
  }
  return { kind: 'word', command, action, given, typed: piece, start };
}

/** Quotes a value for a command line if needed. @param {string} value */
export function written(value) {
  if (/^[^\s"“”„«»=]+$/.test(value)) return value;
  // The server accepts curly quotes as closing quotes, because phones type them.
  return /["“”]/.test(value) ? `«${value.replaceAll('»', '>')}»` : `"${value}"`;
}
