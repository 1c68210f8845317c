/** Thrown to answer a request with an HTTP status and `{ error_code, detail }`. */
export class HttpError extends Error {
  readonly status: number;
  readonly errorCode: string;

  constructor(status: number, errorCode: string, detail: string) {
    super(detail);
    this.name = 'HttpError';
    this.status = status;
    this.errorCode = errorCode;
  }
}

export const invalidRequest = (detail: string) => new HttpError(422, 'INVALID_REQUEST', detail);

export const invalidImage = (detail: string) => new HttpError(400, 'INVALID_IMAGE', detail);
