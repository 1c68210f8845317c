/** The words of PromQL, as far as the dashboard and the rules use it. Anything else is refused. */
export interface Token {
  readonly type: 'name' | 'number' | 'duration' | 'string' | 'sign' | 'end';
  readonly text: string;
  readonly at: number;
}

const PATTERNS: readonly (readonly [Token['type'] | 'space', RegExp])[] = [
  ['space', /\s+/y],
  ['duration', /(?:\d+(?:ms|[smhdwy]))+(?![A-Za-z0-9_.])/y],
  ['number', /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['string', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y],
  ['sign', /==|!=|=~|!~|>=|<=|[-+*/%^<>=(){}[\],:]/y],
];

export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const found = PATTERNS.flatMap(([type, pattern]) => {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      return match === null ? [] : [{ type, text: match[0], at }];
    })[0];
    if (found === undefined)
      throw new SyntaxError(`unexpected ${text.slice(at, at + 10)} at ${at} in ${text}`);
    if (found.type !== 'space') tokens.push({ ...found, type: found.type });
    at += found.text.length;
  }
  return [...tokens, { type: 'end', text: '', at }];
}
