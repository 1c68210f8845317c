import { type Token, tokensOf } from './tokens.ts';

/** What an expression asks for. */
export interface Asked {
  /** Metrics with the labels that are matched. */
  readonly selectors: readonly { readonly metric: string; readonly labels: readonly string[] }[];
  /** Labels that results are grouped by, each with the metrics below it. */
  readonly groupings: readonly { readonly labels: readonly string[]; readonly metrics: readonly string[] }[];
  /** Metrics of which only those series count that have the same labels as one of the others (`and on`). */
  readonly restrictions: readonly {
    readonly metrics: readonly string[];
    readonly labels: readonly string[];
    readonly to: readonly string[];
  }[];
  readonly type: Type;
}

type Type = 'scalar' | 'vector' | 'range';

const AGGREGATIONS = ['sum', 'min', 'max', 'avg', 'count'];
/** What each function takes and gives. */
const FUNCTIONS: Readonly<Record<string, readonly [readonly Type[], Type]>> = {
  rate: [['range'], 'vector'],
  increase: [['range'], 'vector'],
  min_over_time: [['range'], 'vector'],
  max_over_time: [['range'], 'vector'],
  avg_over_time: [['range'], 'vector'],
  absent: [['vector'], 'vector'],
  histogram_quantile: [['scalar', 'vector'], 'vector'],
};
/** The weakest first. */
const OPERATORS: readonly (readonly string[])[] = [
  ['or'],
  ['and', 'unless'],
  ['==', '!=', '<=', '<', '>=', '>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** Reads an expression and checks the types of its parts. Throws where Prometheus would refuse it. */
export function parse(text: string): Asked {
  const tokens = tokensOf(text);
  const selectors: Asked['selectors'][number][] = [];
  const groupings: Asked['groupings'][number][] = [];
  const restrictions: Asked['restrictions'][number][] = [];
  let index = 0;
  const peek = (): Token => tokens[index] ?? { type: 'end', text: '', at: text.length };
  const refuse = (why: string): never => {
    throw new SyntaxError(`${why}, found "${peek().text}" at ${peek().at} in: ${text}`);
  };
  const next = (): Token => {
    const token = peek();
    index += 1;
    return token;
  };
  const take = (sign: string): boolean => {
    if (peek().text !== sign || peek().type === 'string') return false;
    index += 1;
    return true;
  };
  const need = (sign: string): void => void (take(sign) || refuse(`expected ${sign}`));
  const name = (): string => (peek().type === 'name' ? next().text : refuse('expected a name'));
  const list = <T>(close: string, item: () => T): readonly T[] => {
    const items: T[] = [];
    while (!take(close)) {
      items.push(item());
      if (peek().text !== close) need(',');
    }
    return items;
  };
  const bracketed = <T>(item: () => T): readonly T[] => {
    need('(');
    return list(')', item);
  };

  const matcher = (): string => {
    const label = name();
    if (!['=', '!=', '=~', '!~'].includes(next().text)) refuse('expected a matcher');
    const value = next();
    if (value.type !== 'string') refuse('expected a text');
    return label;
  };
  const selector = (metric: string): Type => {
    selectors.push({ metric, labels: take('{') ? list('}', matcher) : [] });
    if (!take('[')) return 'vector';
    if (next().type !== 'duration') refuse('expected a duration');
    need(']');
    return 'range';
  };
  const aggregation = (): Type => {
    const by = take('by') ? bracketed(name) : [];
    const before = selectors.length;
    need('(');
    if (expression(0) !== 'vector') refuse('an aggregation takes a vector');
    need(')');
    groupings.push({ labels: by, metrics: selectors.slice(before).map(({ metric }) => metric) });
    return 'vector';
  };
  const call = (called: string): Type => {
    const [takes, gives] = FUNCTIONS[called] ?? refuse(`no function ${called}`);
    const given = bracketed(() => expression(0));
    if (given.join() !== takes.join()) refuse(`${called} takes ${takes.join()}, not ${given.join()}`);
    return gives;
  };
  const operand = (): Type => {
    if (take('-')) return operand();
    if (take('(')) {
      const type = expression(0);
      need(')');
      return type;
    }
    if (peek().type === 'number') {
      next();
      return 'scalar';
    }
    const found = name();
    if (AGGREGATIONS.includes(found)) return aggregation();
    return peek().text === '(' ? call(found) : selector(found);
  };
  const expression = (level: number): Type => {
    const operators = OPERATORS[level];
    if (operators === undefined) return operand();
    const first = selectors.length;
    let left = expression(level + 1);
    while (operators.includes(peek().text)) {
      const operator = next().text;
      const labels = operator === 'and' && take('on') ? bracketed(name) : undefined;
      const second = selectors.length;
      const right = expression(level + 1);
      const metrics = (from: number, to?: number) => selectors.slice(from, to).map(({ metric }) => metric);
      if (labels !== undefined)
        restrictions.push({ metrics: metrics(first, second), labels, to: metrics(second) });
      if (left === 'range' || right === 'range') refuse(`${operator} takes no range`);
      if (level < 2 && (left === 'scalar' || right === 'scalar')) refuse(`${operator} takes vectors`);
      if (level === 2 && left === 'scalar' && right === 'scalar') refuse('numbers are not compared');
      left = left === 'vector' || right === 'vector' ? 'vector' : 'scalar';
    }
    return left;
  };

  const type = expression(0);
  if (peek().type !== 'end') refuse('expected the end');
  return { selectors, groupings, restrictions, type };
}
