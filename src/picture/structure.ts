export interface Span {
  readonly from: number;
  readonly to: number;
}

/** What a file says of itself before anything in it is decoded. */
export interface Structure {
  readonly width: number;
  readonly height: number;
  /** Where its EXIF data is. */
  readonly exif: readonly Span[];
  /** The file goes on to its proper end. Only a PNG is asked that. */
  readonly isWhole: boolean;
}
