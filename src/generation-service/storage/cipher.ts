/** Encrypts what is written to disk. `open` returns plain text from before encryption as it is. */
export interface Cipher {
  seal(text: string): string;
  open(stored: string): string;
  /** Whether it is plain or was sealed with an older key. Absent: never. */
  isOutdated?(stored: string): boolean;
}

export const noCipher: Cipher = { seal: (text) => text, open: (stored) => stored };
