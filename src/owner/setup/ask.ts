import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Questions on the terminal. Secrets are not echoed; after the end of input every answer is empty. */
export function createSetupQuestions() {
  const { stdin: input, stdout: output } = process;
  let silent = false;
  const screen = new Writable({
    write(chunk, _encoding, done) {
      if (!silent) output.write(chunk);
      done();
    },
  });
  const reader = createInterface({ input, output: screen, terminal: input.isTTY });
  // An iterator keeps lines that come before their question; `question()` would drop them.
  const lines = reader[Symbol.asyncIterator]();

  const answer = async (question: string, secret: boolean): Promise<string> => {
    output.write(question);
    silent = secret;
    try {
      const { done, value } = await lines.next();
      return done ? '' : value.trim();
    } finally {
      silent = false;
      if (secret) output.write('\n');
    }
  };
  return {
    ask: (question: string) => answer(question, false),
    askSecret: (question: string) => answer(question, true),
    close: (): void => reader.close(),
  };
}
