/** Makes what is written to the disk unreadable to others. What was written before there was one opens as it is. */
export interface Cipher {
  seal(text: string): string;
  open(stored: string): string;
  /** Whether it would be sealed otherwise today: it is plain, or an older key sealed it. Absent: never. */
  isOutdated?(stored: string): boolean;
}

export const noCipher: Cipher = { seal: (text) => text, open: (stored) => stored };
