import { InvalidResponse } from '../wire/invalid-response.ts';

interface Frame {
  array: boolean;
  key: string;
  index: number;
  expectsKey: boolean;
}

const MAX_DEPTH = 64;
/** A longer key is none that we search for; its bytes are not kept. */
const MAX_KEY_LENGTH = 64;

/**
 * Tracks the position in a JSON document, enough to recognise `output.images[n]`. Does not check the grammar: JSON.parse
 * does that at the end.
 */
export function createPathTracker() {
  const stack: Frame[] = [];
  let key: number[] | undefined;

  const onPicture = (): boolean =>
    stack.length === 3 &&
    stack[0]?.array === false &&
    stack[0].key === 'output' &&
    stack[1]?.array === false &&
    stack[1].key === 'images' &&
    stack[2]?.array === true;

  return {
    structureByte(byte: number): void {
      const top = stack.at(-1);
      if (stack.length > MAX_DEPTH) throw new InvalidResponse('the answer is nested too deeply');
      if (byte === 0x7b) stack.push({ array: false, key: '', index: 0, expectsKey: true });
      else if (byte === 0x5b) stack.push({ array: true, key: '', index: 0, expectsKey: false });
      else if (byte === 0x7d || byte === 0x5d) stack.pop();
      else if (top === undefined) return;
      else if (byte === 0x3a) top.expectsKey = false;
      else if (byte === 0x2c) {
        top.index += 1;
        top.expectsKey = !top.array;
      }
    },

    /** A string starts: the first picture, a further one (`skip`), or any other string. */
    beginString(): 'string' | 'picture' | 'skip' {
      const top = stack.at(-1);
      key = top?.expectsKey ? [] : undefined;
      if (!onPicture()) return 'string';
      return top?.index === 0 ? 'picture' : 'skip';
    },

    stringByte(byte: number): void {
      if (key !== undefined && key.length <= MAX_KEY_LENGTH) key.push(byte);
    },

    endString(): void {
      const top = stack.at(-1);
      if (key !== undefined && top !== undefined) top.key = keyText(key);
      key = undefined;
    },
  };
}

/** Keys may contain escapes: "\u006futput" is "output". */
function keyText(bytes: number[]): string {
  if (bytes.length > MAX_KEY_LENGTH) return '';
  const raw = Buffer.from(bytes).toString('utf8');
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    return '';
  }
}
