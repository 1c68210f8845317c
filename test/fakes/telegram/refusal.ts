/** An error that the Bot API answers instead of a result. */
export class Refusal extends Error {
  readonly code: number;
  readonly parameters: { readonly retry_after?: number; readonly migrate_to_chat_id?: number } | undefined;

  constructor(code: number, description: string, parameters?: Refusal['parameters']) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

/** The refusal of a call that asks for what cannot be done. */
export const badRequest = (words: string): Refusal => new Refusal(400, `Bad Request: ${words}`);
/** The refusal of a call for what this bot may not do. */
export const forbidden = (words: string): Refusal => new Refusal(403, `Forbidden: ${words}`);
