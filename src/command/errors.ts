/**
 * Something the person can put right. Its message is shown as it is: what was wrong, what is allowed, what to do.
 * About its `form`, the right form of the command is shown with it; about a `limit`, that would not help.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly about: 'form' | 'limit';

  constructor(message: string, about: 'form' | 'limit' = 'form') {
    super(message);
    this.about = about;
  }
}
