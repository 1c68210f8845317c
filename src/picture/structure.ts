export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** What is known of a file without decoding it. */
export interface Structure {
  readonly width: number;
  readonly height: number;
  /** The positions of EXIF data. */
  readonly exif: readonly ByteRange[];
  /** Whether the file is complete; checked only for PNG. */
  readonly isWhole: boolean;
}
